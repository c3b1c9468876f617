import { monitorEventLoopDelay } from "node:perf_hooks";
import pino from "pino";
import { openPglite } from "../backend/src/db/pglite/pglite.ts";

// The longest block of the event loop while the embedded database computes for half a second: at most 20 ms.

const database = await openPglite({ log: pino({ level: "silent" }) });
for (let round = 1; round <= 5; round += 1) {
  const loop = monitorEventLoopDelay({ resolution: 1 });
  const started = performance.now();
  loop.enable();
  await database.transaction((tx) => tx.query("select sum(sqrt(n)) from generate_series(1, 2000000) n"));
  loop.disable();
  console.log(`  round ${round}: statement ${Math.round(performance.now() - started)} ms, longest delay ${(loop.max / 1e6).toFixed(1)} ms`);
}
await database.close();
