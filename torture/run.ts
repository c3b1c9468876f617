import { parseArgs } from "node:util";
import { fullDisk } from "./full-disk.ts";
import { hostileRequests } from "./hostile-requests.ts";
import { killEmbedded, killPostgres } from "./kills.ts";
import { mixedLoad } from "./mixed-load.ts";
import { powerCuts } from "./power-cuts.ts";
import { killRestores } from "./restore-kills.ts";
import { restartPostgres } from "./restarts.ts";
import type { Options, Result, Round } from "./round.ts";
import { slowClients } from "./slow-clients.ts";

// Repeats crashes, faults and hostile load for the given time and prints one table:
// `npm run torture -- --minutes 10`, or only some rounds: `npm run torture -- --minutes 1 full-disk slow-clients`.
// With `--ignore-fsync` the power cuts lose what an fsync stored: the round must then fail.
// `--rate 60` sets the hostile requests per second, `--seed 7` repeats those of an earlier run, `--request 5` only one of them.

const ROUNDS: Record<string, Round> = {
  "kill-embedded": killEmbedded,
  "power-cuts": powerCuts,
  "kill-postgres": killPostgres,
  "kill-restores": killRestores,
  "restart-postgres": restartPostgres,
  "full-disk": fullDisk,
  "slow-clients": slowClients,
  "mixed-load": mixedLoad,
  "hostile-requests": hostileRequests,
};

const { values, positionals } = parseArgs({
  options: {
    minutes: { type: "string", default: "5" },
    rate: { type: "string", default: "60" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    request: { type: "string" },
    "ignore-fsync": { type: "boolean", default: false },
  },
  allowPositionals: true,
});
const request = values.request === undefined ? undefined : Number(values.request);
const options: Options = { seed: Number(values.seed), request, perSecond: Number(values.rate), ignoresFsync: values["ignore-fsync"] };
const names = positionals.length > 0 ? positionals : Object.keys(ROUNDS);
const seconds = (Number(values.minutes) * 60) / names.length;

const results: (Result & { name: string })[] = [];
for (const name of names) {
  const round = ROUNDS[name];
  if (!round) throw new Error(`There is no round "${name}"; there are ${Object.keys(ROUNDS).join(", ")}.`);
  console.log(`${name}, ${Math.round(seconds)} s …`);
  results.push({ name, ...(await round(seconds, options)) });
}

console.log("");
for (const { name, ok, skipped, figures } of results) {
  const text =
    skipped ??
    Object.entries(figures)
      .map(([label, value]) => `${label}: ${value}`)
      .join(", ");
  console.log(`${skipped === undefined ? (ok ? "passed " : "FAILED ") : "skipped"}  ${name.padEnd(18)} ${text}`);
}
process.exitCode = results.every(({ ok }) => ok) ? 0 : 1;
