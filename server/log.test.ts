import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { freePort } from "backend/test/free-port.ts";
import { collectOutput } from "backend/test/server-process.ts";
import pino from "pino";
import { expect, test } from "vitest";
import { createLog, createLogDestination } from "./log.ts";

class DiskError extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

test("lines that a full disk does not take are dropped and counted", () => {
  let written = "";
  let failure: string | undefined;
  const destination = createLogDestination((bytes) => {
    if (failure !== undefined) throw new DiskError(failure);
    // A short write, as the last one before a disk is full.
    const part = bytes.subarray(0, 20);
    written += Buffer.from(part).toString();
    return part.length;
  });
  const log = pino({ base: null }, destination);
  log.info("before");
  destination.flush();
  failure = "ENOSPC";
  for (let line = 0; line < 1000; line += 1) {
    log.info("during");
    if (line % 3 === 0) destination.flush();
  }
  destination.flush();
  failure = undefined;
  log.info("after");
  destination.flush();
  const lines = written
    .split("\n")
    .filter(Boolean)
    .map((line): unknown => JSON.parse(line));
  expect(lines).toMatchObject([{ msg: "before" }, { dropped: 1000, level: 40 }, { msg: "after" }]);
});

test("lines wait for a reader that is slow for a moment, up to a limit", async () => {
  let written = "";
  let isSlow = true;
  const log = pino(
    { base: null },
    createLogDestination((bytes) => {
      if (isSlow) throw new DiskError("EAGAIN");
      written += Buffer.from(bytes).toString();
      return bytes.length;
    }),
  );
  for (let line = 0; line < 2000; line += 1) log.info({ text: "x".repeat(1000) }, "line");
  isSlow = false;
  await expect.poll(() => written.split("\n").length).toBeGreaterThan(900);
  log.info("after");
  await expect.poll(() => written).toMatch(/"dropped":\d+/);
});

test("a log listens for the end of the process only while lines wait to be written", () => {
  const others = process.listenerCount("exit");
  for (let count = 0; count < 20; count += 1) createLog("error");
  expect(process.listenerCount("exit")).toBe(others);
  let isSlow = true;
  const destination = createLogDestination((bytes) => {
    if (isSlow) throw new DiskError("EAGAIN");
    return bytes.length;
  });
  const log = pino({ base: null }, destination);
  for (let count = 0; count < 2; count += 1) {
    log.info("line");
    destination.flush();
    expect(process.listenerCount("exit")).toBe(others + 1);
  }
  isSlow = false;
  destination.flush();
  expect(process.listenerCount("exit")).toBe(others);
});

test("the last lines of a process that ends at once are written", async () => {
  const program = `
    import { createLog } from ${JSON.stringify(new URL("log.ts", import.meta.url).href)};
    const log = createLog("info");
    log.info("first");
    setImmediate(() => {
      log.info("last");
      process.exit();
    });`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: ["ignore", "pipe", "inherit"] });
  const output = collectOutput(child);
  await once(child, "close");
  expect(output()).toMatch(/"first".*\n.*"last".*\n$/);
});

test.runIf(process.platform === "linux")("a server whose standard output is on a full disk goes on answering", async () => {
  const port = await freePort();
  const full = openSync("/dev/full", "w");
  const program = `
    import { createLog } from ${JSON.stringify(new URL("log.ts", import.meta.url).href)};
    import { listen } from ${JSON.stringify(new URL("http/listen.ts", import.meta.url).href)};
    const server = await listen({ host: "127.0.0.1", port: ${port}, trustProxy: 0, log: createLog("info") });
    server.serve(() => Promise.resolve(new Response("ok")));
    console.log("ready");`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    cwd: fileURLToPath(new URL(".", import.meta.url)),
    stdio: ["ignore", full, "inherit"],
  });
  closeSync(full);
  const closed = once(child, "close");
  const ask = (): Promise<string> =>
    fetch(`http://127.0.0.1:${port}`).then(
      (response) => response.text(),
      () => "nothing",
    );
  await expect.poll(ask, { timeout: 30_000 }).toBe("ok");
  for (let count = 0; count < 200; count += 1) expect(await ask()).toBe("ok");
  expect(child.exitCode).toBeNull();
  child.kill();
  await closed;
});
