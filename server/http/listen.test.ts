import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { request as requestHttp } from "node:http";
import { createServer } from "node:net";
import pino from "pino";
import { afterEach, expect, test } from "vitest";
import type { Connection } from "backend";
import { listen, ListenError, type Handler, type ListenOptions } from "./listen.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

/** Serves on a free port and records requests and log lines. */
async function serve(options: Partial<ListenOptions> & { handler?: Handler } = {}) {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: "info" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const connections: Connection[] = [];
  const server = await listen({
    host: "127.0.0.1",
    port: 0,
    trustProxy: 0,
    log,
    ...options,
  });
  open.push(server);
  const remember: Handler = (_request, connection) => {
    connections.push(connection);
    return Promise.resolve(new Response("ok"));
  };
  server.serve(options.handler ?? remember);
  return { url: `http://127.0.0.1:${server.port}`, server, lines, connections };
}

test.each([
  { trustProxy: 0, client: "127.0.0.1" },
  { trustProxy: 1, client: "203.0.113.9" },
  { trustProxy: 2, client: "198.51.100.7" },
  { trustProxy: 5, client: "127.0.0.1" },
])("with $trustProxy trusted proxies the client is $client", async ({ trustProxy, client }) => {
  const { url, connections } = await serve({ trustProxy });
  await fetch(url, { headers: { "x-forwarded-for": "192.0.2.66, 198.51.100.7, 203.0.113.9" } });
  expect(connections).toEqual([{ clientAddress: client }]);
});

test("a request is one log line, without its query and without ids", async () => {
  const { url, lines } = await serve();
  await fetch(`${url}/auth/v1/admin/users/${crypto.randomUUID()}?token=secret`);
  await expect.poll(() => lines).toHaveLength(1);
  await fetch(`${url}/storage/v1/object/public/post-images/a-name.png`);
  await expect.poll(() => lines).toHaveLength(2);
  expect(lines[1]).toMatchObject({ route: "/storage/v1/object/public/post-images/:name" });
  expect(lines[0]).toMatchObject({ method: "GET", route: "/auth/v1/admin/users/:id", status: 200, msg: "request" });
  expect(JSON.stringify(lines)).not.toContain("secret");
});

test("a handler that throws gives 500 without details", async () => {
  const { url, lines } = await serve({ handler: () => Promise.reject(new Error("the cellar is flooded")) });
  const response = await fetch(url);
  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain("cellar");
  expect(lines.some((line) => line["level"] === 50)).toBe(true);
});

test("a cached response is sent and logged without a call of the handler", async () => {
  const requested: string[] = [];
  const { url, server, lines } = await serve();
  const body = new TextEncoder().encode("ready");
  server.serve(
    (request) => {
      requested.push(new URL(request.url).pathname);
      return Promise.resolve(new Response("made"));
    },
    ({ url: path }) => (path === "/" ? { status: 200, headers: { "content-type": "text/plain", "content-length": "5" }, body } : undefined),
  );
  const answers = [await fetch(url), await fetch(`${url}/other`)];
  expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(["ready", "made"]);
  expect(requested).toEqual(["/other"]);
  await expect.poll(() => lines).toHaveLength(2);
  expect(lines[0]).toMatchObject({ method: "GET", route: "/", status: 200, msg: "request" });
});

test("a process that is still starting responds with 503 and Retry-After", async () => {
  const server = await listen({ host: "127.0.0.1", port: 0, trustProxy: 0, log: pino({ level: "silent" }) });
  open.push(server);
  const response = await fetch(`http://127.0.0.1:${server.port}`);
  expect([response.status, response.headers.get("retry-after")]).toEqual([503, "1"]);
  const post = await fetch(`http://127.0.0.1:${server.port}`, { method: "POST", body: "form", headers: { Accept: "text/html" } });
  expect([post.status, post.headers.get("retry-after"), post.headers.get("content-type")]).toEqual([503, "1", "text/plain"]);
  const health = await fetch(`http://127.0.0.1:${server.port}/health`);
  expect([health.status, health.headers.get("retry-after")]).toEqual([503, "1"]);
  const page = await fetch(`http://127.0.0.1:${server.port}`, { headers: { Accept: "text/html" } });
  expect([page.status, page.headers.get("content-type")]).toEqual([503, "text/html; charset=utf-8"]);
  expect(await page.text()).toContain('<meta http-equiv="refresh"');
});

test("an upgrade reaches the WebSocket endpoint of its path only, and closing the server drains the endpoint", async () => {
  const { url, server } = await serve();
  const accepted: string[] = [];
  let drained = 0;
  server.serve(() => Promise.resolve(new Response("page")), undefined, {
    accept(incoming, socket, _head, { clientAddress }) {
      accepted.push(`${clientAddress} ${incoming.url}`);
      socket.end("HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", () => socket.destroy());
    },
    drain: () => void (drained += 1),
  });
  const ask = (path: string, upgrade: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const outgoing = requestHttp(url + path, { headers: { Connection: "Upgrade", Upgrade: upgrade } });
      outgoing
        .on("response", (answer) => resolve(answer.resume().statusCode))
        .on("error", reject)
        .end();
    });
  expect(await ask("/realtime/v1/websocket?vsn=2.0.0", "websocket")).toBe(403);
  expect(await ask("/", "h2c")).toBe(200);
  expect(await ask("/elsewhere", "websocket")).toBe(200);
  expect(accepted).toEqual(["127.0.0.1 /realtime/v1/websocket?vsn=2.0.0"]);
  await server.close();
  expect(drained).toBe(1);
});

test("a port in use fails with a message that names it", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const address = other.address();
  const port = typeof address === "object" && address ? address.port : 0;
  await expect(serve({ port })).rejects.toThrow(ListenError);
  await expect(serve({ port })).rejects.toThrow(`Port ${port} on 127.0.0.1 is already in use`);
  other.close();
});

// Other systems allow fewer.
test.runIf(process.platform === "linux")("clients can connect in a burst while the process is busy", async () => {
  const { url } = await serve();
  const clients = `
    let connected = 0;
    const end = () => { console.log(connected); process.exit(); };
    for (let i = 0; i < 1500; i++)
      require("node:net").connect(${new URL(url).port}, "127.0.0.1", () => ++connected === 1500 && end()).on("error", () => {});
    setTimeout(end, 60_000);
  `;
  // Synchronous, so that this process accepts no connection meanwhile.
  const { stdout } = spawnSync(process.execPath, ["-e", clients], { encoding: "utf8" });
  expect(Number(stdout)).toBe(1500);
});
