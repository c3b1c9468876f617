import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { temporaryDirectory } from "../e2e/support/product.ts";
import { measureChanges } from "./realtime/changes.ts";
import { compareFrames } from "./realtime/frames.ts";
import { ask, type Side, startBare, startProduct } from "./realtime/sides.ts";

// The realtime service of the production build against bare `ws` in the same Node with the same flags. First in turns, when V8 has optimised
// both: CPU time per frame of an echo and of a broadcast to 1,000 sockets. Both receive the frame that the official client sends and send
// as many bytes. Then the memory of idle sockets: the growth of the process from one idle state to the next, and soon after they are
// open, when it includes garbage of the joins. Last, one after the other: the delay from the request of a write, which is earlier than
// its commit, to 1,000 subscribers, and reads while all of them receive changes; bare `ws` has no database.

const ROUNDS = Number(process.env["ROUNDS"] ?? 5);
const SOCKETS = Number(process.env["SOCKETS"] ?? 1000);
/** The time in which an idle process collects garbage: twice the interval of `server/machine/idle-memory.ts`, and a little more. */
const UNTIL_IDLE_MS = 42_000;
const SUBSCRIPTION = { postgres_changes: [{ event: "*", schema: "public", table: "seats" }] };

await using directory = await temporaryDirectory();

for (const what of ["echo", "broadcast"] as const) {
  await using product = await startProduct(directory.path);
  await using bare = await startBare(what === "broadcast");
  await compareFrames(what, product, bare, what === "broadcast" ? SOCKETS : 1);
}

for (const [what, payload] of [
  ["a channel", null],
  ["a subscription", {}],
] as const) {
  await using product = await startProduct(directory.path);
  console.log(`  memory of ${SOCKETS} idle sockets without ${what}: ${await memoryOfSockets(product, payload)}`);
}

{
  await using product = await startProduct(directory.path);
  console.log(`  memory of ${SOCKETS} idle sockets with a subscription: ${await memoryOfSockets(product, SUBSCRIPTION)}`);
  await measureChanges(product, SOCKETS, ROUNDS * 3, directory.path);
}

{
  await using bare = await startBare(true);
  await ask(bare, { kind: "open", url: bare.socketUrl, sockets: SOCKETS, join: null });
  await measureChanges(bare, SOCKETS, ROUNDS);
}

/** Opens the sockets; returns the memory that they take. */
async function memoryOfSockets(side: Side, join: object | null): Promise<string> {
  // The first client loads the service.
  await ask(side, { kind: "open", url: side.socketUrl, sockets: 1, join: join ?? {} });
  await delay(UNTIL_IDLE_MS);
  const before = await residentMb(side.pid);
  await ask(side, { kind: "open", url: side.socketUrl, sockets: SOCKETS - 1, join });
  await delay(2000);
  const soon = await residentMb(side.pid);
  await delay(UNTIL_IDLE_MS);
  const later = await residentMb(side.pid);
  return `${(later - before).toFixed(0)} MB, soon after they are open ${(soon - before).toFixed(0)} MB`;
}

async function residentMb(pid: number): Promise<number> {
  return Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}
