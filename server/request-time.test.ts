import { request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import pino from "pino";
import { afterEach, expect, test } from "vitest";
import { listen } from "./listen.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

/** Sends a body byte by byte, a quarter of a second apart; returns the status or the code of the connection's error. */
async function sendSlowly(path: string, { pieces, stopsAfter = pieces }: { pieces: number; stopsAfter?: number }): Promise<unknown> {
  const times = { patienceMs: 2000 };
  const server = await listen({ host: "127.0.0.1", port: 0, trustProxy: 0, log: pino({ level: "silent" }), times });
  open.push(server);
  server.serve(async (incoming) => new Response(String((await incoming.arrayBuffer().catch(() => new ArrayBuffer())).byteLength)));
  const sending = request({ port: server.port, path, method: "POST", headers: { "Content-Length": String(pieces) } });
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
  expect(await sendSlowly("/rest/v1/enquiries", { pieces: 12 })).toBe("ECONNRESET");
});

test("an uploaded file may take long while bytes keep arriving", async () => {
  expect(await sendSlowly("/storage/v1/object/pictures/a.png", { pieces: 12 })).toBe(200);
});

test("an uploaded file that stops arriving is ended", async () => {
  expect(await sendSlowly("/storage/v1/upload/resumable/x", { pieces: 12, stopsAfter: 1 })).toBe("ECONNRESET");
});
