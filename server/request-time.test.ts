import { request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import pino from "pino";
import { afterEach, expect, test } from "vitest";
import { listen } from "./listen.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

/** Sends a body in pieces of a byte, a quarter of a second apart; gives the status, or the code of the connection's failure. */
async function sendSlowly({
  pieces,
  stopsAfter = pieces,
  mayUpload = false,
}: {
  pieces: number;
  stopsAfter?: number;
  mayUpload?: boolean;
}): Promise<unknown> {
  const server = await listen({ host: "127.0.0.1", port: 0, trustProxy: 0, log: pino({ level: "silent" }), patienceMs: 2000 });
  open.push(server);
  server.serve(async (incoming, connection) => {
    if (mayUpload) connection.allowLongBody?.();
    return new Response(String((await incoming.arrayBuffer().catch(() => new ArrayBuffer())).byteLength));
  });
  const sending = request({
    port: server.port,
    path: "/storage/v1/object/pictures/a.png",
    method: "POST",
    headers: { "Content-Length": String(pieces) },
  });
  const outcome = new Promise<unknown>((resolve) => {
    sending.on("response", ({ statusCode }) => resolve(statusCode));
    sending.on("error", (error: NodeJS.ErrnoException) => resolve(error.code));
  });
  for (let piece = 0; piece < stopsAfter; piece += 1) {
    sending.write("x");
    await delay(250);
  }
  if (stopsAfter === pieces) sending.end();
  return outcome;
}

test("a request whose body takes too long is ended", async () => {
  expect(await sendSlowly({ pieces: 12 })).toBe("ECONNRESET");
});

test("a body of a caller that may upload may take as long as it goes on arriving", async () => {
  expect(await sendSlowly({ pieces: 12, mayUpload: true })).toBe(200);
});

test("an upload that stops arriving is ended", async () => {
  expect(await sendSlowly({ pieces: 12, stopsAfter: 1, mayUpload: true })).toBe("ECONNRESET");
});
