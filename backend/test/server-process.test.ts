import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { expect, test } from "vitest";
import { freePort } from "./free-port.ts";

test.each(["SIGTERM", "an exit"])("a process that a test has started ends with the test process, after %s", async (cause) => {
  const port = await freePort();
  const server = createServer().listen(port, "127.0.0.1");
  // Connected while it runs.
  const started = `require("node:net").connect(${port}, "127.0.0.1").resume()`;
  const program = `import { spawnEntry } from ${JSON.stringify(import.meta.resolve("./server-process.ts"))};
    spawnEntry("--eval", {}, [], [${JSON.stringify(started)}]);
    process.stdin.resume().on("end", () => process.exit(1));`;
  const testProcess = spawn(process.execPath, ["--input-type=module", "--eval", program], { stdio: ["pipe", "ignore", "inherit"] });
  const [socket]: Socket[] = await once(server, "connection");
  if (!socket) return expect.unreachable();
  try {
    if (cause === "SIGTERM") testProcess.kill();
    else testProcess.stdin.end();
    socket.on("error", () => undefined).resume();
    await expect.poll(() => socket.closed).toBe(true);
  } finally {
    socket.destroy();
    server.close();
  }
});
