import { parseArgs } from "node:util";
import { backendEnvironment, readEnvironment } from "./environment/environment.ts";
import { idleMemoryJob } from "./machine/idle-memory.ts";
import { runProcess } from "./process.ts";
import { startScheduler } from "./scheduler.ts";
import { startBackend } from "./start-backend.ts";

const { values } = parseArgs({ options: { port: { type: "string" } } });
if (values.port !== undefined) process.env["PORT"] = values.port;

await runProcess(async ({ listener, url, metrics, log }) => {
  await using opened = new AsyncDisposableStack();
  const backend = await startBackend(readEnvironment(backendEnvironment, process.env), { url, port: listener.port, log });
  opened.defer(() => backend.close());
  metrics?.readFrom(backend);
  // A listener makes the writes of this process wait for the processes that cache pages (decision 050).
  await backend.onChange(() => undefined);
  listener.serve(backend.fetch, undefined, backend.webSockets, backend.checks);
  const scheduler = startScheduler([...backend.jobs, idleMemoryJob()], backend.claimJob, log);
  const running = opened.move();
  return async () => {
    await scheduler.stop();
    await running.disposeAsync();
  };
});
