import { request } from "node:http";
import pino from "pino";
import { afterEach, expect, test } from "vitest";
import { listen } from "./listen.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

/** Sends a body in four pieces with pauses between them; gives the status, or the code of the connection's failure. */
async function sendSlowly(path: string, pauseMs: number): Promise<unknown> {
  const server = await listen({ host: "127.0.0.1", port: 0, trustProxy: 0, log: pino({ level: "silent" }), times: { patienceMs: 1500 } });
  open.push(server);
  server.serve(async (incoming) => new Response(String((await incoming.arrayBuffer().catch(() => new ArrayBuffer())).byteLength)));
  const sending = request({ port: server.port, path, method: "POST", headers: { "Content-Length": "4" } });
  const outcome = new Promise<unknown>((resolve) => {
    sending.on("response", ({ statusCode }) => resolve(statusCode));
    sending.on("error", (error: NodeJS.ErrnoException) => resolve(error.code));
  });
  for (let piece = 0; piece < 4; piece += 1) {
    sending.write("x");
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  sending.end();
  return outcome;
}

test("a request whose body takes too long is ended", async () => {
  expect(await sendSlowly("/rest/v1/enquiries", 600)).toBe("ECONNRESET");
});

test("a file may take as long as it goes on coming", async () => {
  expect(await sendSlowly("/storage/v1/object/pictures/a.png", 600)).toBe(200);
});

test("a file that stops coming is ended", async () => {
  expect(await sendSlowly("/storage/v1/upload/resumable/x", 3000)).toBe("ECONNRESET");
});
