import { once } from "node:events";
import { get } from "node:http";
import { Agent } from "node:https";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { startProcess } from "../support/product.ts";
import { canRunProxy, type Proxy, type ProxyName, startProxy } from "../support/proxy.ts";
import { startedDirectory } from "../support/started-directory.ts";

const NAMES: readonly ProxyName[] = ["nginx", "caddy"];

for (const name of NAMES)
  describe.skipIf(!canRunProxy(name))(`the site behind the example for ${name}`, () => {
    const cleanup = new AsyncDisposableStack();
    let proxy: Proxy;

    beforeAll(async () => {
      const dataDir = cleanup.use(await startedDirectory());
      const site = cleanup.use(
        await startProcess("server/build/site.js", { DATA_DIR: dataDir.path, TRUST_PROXY: "1", SITE_URL: "https://www.example.org" }),
      );
      proxy = cleanup.use(await startProxy(name, [site.url]));
    });
    afterAll(() => cleanup.disposeAsync());

    test("responds over HTTP/2 with URLs of the public host name", async () => {
      const { body } = await proxy.request("/");
      expect(body).toContain('<link rel="canonical" href="https://www.example.org/"');
    });

    test("accepts WebSockets", async () => {
      const key = /name="publishable-key" content="([^"]+)"/.exec((await proxy.request("/admin")).body)?.[1];
      const socket = new WebSocket(`wss://127.0.0.1:${proxy.https}/realtime/v1/websocket?apikey=${key}&vsn=2.0.0`, {
        agent: new Agent({ ca: proxy.ca, servername: "www.example.org" }),
        headers: { host: "www.example.org" },
      });
      await once(socket, "open");
      socket.send(JSON.stringify([null, "1", "phoenix", "heartbeat", {}]));
      const [data] = await once(socket, "message");
      expect(String(data)).toContain('"status":"ok"');
      socket.terminate();
    });

    test("does not limit the size of an upload, which the server limits", async () => {
      const { status, body } = await proxy.request("/storage/v1/object/any/file", { "content-type": "image/png" }, Buffer.alloc(3_000_000));
      expect([status, body]).not.toEqual([413, expect.stringContaining("<html>")]);
      expect(JSON.parse(body)).toHaveProperty("message");
    });

    test.runIf(name === "nginx")("redirects plain HTTP to HTTPS", async () => {
      const [response] = await once(get({ port: proxy.http, path: "/blog?page=2", headers: { host: "www.example.org" } }), "response");
      expect([response.statusCode, response.headers.location]).toEqual([301, "https://www.example.org/blog?page=2"]);
    });
  });
