import { type ClientRequest, request } from "node:http";
import pino from "pino";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { listen } from "./listen.ts";

/** Longer than a test, so that only the limit of a body, whose clock is fake, can end a request. */
const PATIENCE_MS = 3_600_000;
const open: { close(): Promise<void> }[] = [];
// The time limit of a connection on which nothing moves is Node's own and stays real.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(async () => {
  vi.useRealTimers();
  for (const server of open.splice(0)) await server.close();
});

/** Sends the first of two bytes; `outcome` is the status, or the code of the connection's failure. */
async function sendHalf(mayUpload: boolean, patienceMs: number): Promise<{ sending: ClientRequest; outcome: Promise<unknown> }> {
  const server = await listen({ host: "127.0.0.1", port: 0, trustProxy: 0, log: pino({ level: "silent" }), patienceMs });
  open.push(server);
  const arrived = Promise.withResolvers<void>();
  server.serve(async (incoming, connection) => {
    if (mayUpload) connection.allowLongBody?.();
    arrived.resolve();
    return new Response(String((await incoming.arrayBuffer().catch(() => new ArrayBuffer())).byteLength));
  });
  const sending = request({
    port: server.port,
    path: "/storage/v1/object/pictures/a.png",
    method: "POST",
    headers: { "Content-Length": "2" },
  });
  const outcome = new Promise<unknown>((resolve) => {
    sending.on("response", ({ statusCode }) => resolve(statusCode));
    sending.on("error", (error: NodeJS.ErrnoException) => resolve(error.code));
  });
  sending.write("x");
  // On a busy machine a connection can be ended before its request arrived.
  await Promise.race([arrived.promise, outcome]);
  return { sending, outcome };
}

test("a request whose body takes too long is ended", async () => {
  const { outcome } = await sendHalf(false, PATIENCE_MS);
  vi.advanceTimersByTime(PATIENCE_MS);
  expect(await outcome).toBe("ECONNRESET");
});

test("a body of a caller that may upload may take longer", async () => {
  const { sending, outcome } = await sendHalf(true, PATIENCE_MS);
  vi.advanceTimersByTime(PATIENCE_MS);
  sending.end("x");
  expect(await outcome).toBe(200);
});

test("an upload that stops arriving is ended", async () => {
  const { outcome } = await sendHalf(true, 200);
  expect(await outcome).toBe("ECONNRESET");
});

test("the connection of a caller that is refused before its body arrived is closed", async () => {
  vi.useRealTimers();
  const server = await listen({ host: "127.0.0.1", port: 0, trustProxy: 0, log: pino({ level: "silent" }), patienceMs: PATIENCE_MS });
  open.push(server);
  server.serve((_incoming, connection) => {
    connection.allowLongBody?.();
    return Promise.resolve(new Response(null, { status: 401 }));
  });
  const sending = request({ port: server.port, method: "POST", headers: { "Content-Length": "2" } }).on("error", () => undefined);
  const status = new Promise((resolve) => sending.on("response", (answer) => resolve(answer.resume().statusCode)));
  const closed = new Promise((resolve) => sending.on("socket", (socket) => socket.once("close", resolve)));
  sending.write("x");
  expect(await status).toBe(401);
  await closed;
});
