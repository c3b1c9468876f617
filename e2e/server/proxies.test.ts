import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { get } from "node:http";
import { connect } from "node:http2";
import { Agent } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { freePort } from "backend/test/free-port.ts";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { startProcess, type RunningProcess } from "../support/product.ts";
import { startedDirectory } from "../support/started-directory.ts";

// The examples of docs/proxy, with other ports and a certificate of their own.

interface Proxy {
  file: string;
  /** Replaces ports and certificate; plain HTTP is at `http`, if the example names it. */
  adapt(example: string, at: { https: number; http: number; site: string; directory: string }): string;
  args(file: string): string[];
}

const PROXIES: Record<string, Proxy> = {
  nginx: {
    file: "nginx.conf",
    adapt: (example, { https, http, site, directory }) =>
      `daemon off; pid ${directory}/nginx.pid; error_log stderr; events {} http { access_log off; ` +
      ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${directory}/${name}; `).join("") +
      example
        .replaceAll(/^\s*listen \[::\].*$/gm, "")
        .replace("listen 80", `listen 127.0.0.1:${http}`)
        .replace("listen 443", `listen 127.0.0.1:${https}`)
        .replace("127.0.0.1:3000", site)
        .replaceAll(/\/etc\/letsencrypt\/live\/[^/]+/g, directory) +
      "}",
    args: (file) => ["-c", file],
  },
  caddy: {
    file: "Caddyfile",
    adapt: (example, { https, http, site, directory }) =>
      `{\n admin off\n auto_https disable_redirects\n http_port ${http}\n}\n` +
      example
        .replace(
          /^www\.example\.org \{/m,
          `https://www.example.org:${https} {\n\tbind 127.0.0.1\n\ttls ${directory}/fullchain.pem ${directory}/privkey.pem`,
        )
        .replace("127.0.0.1:3000 {", `${site} {`),
    args: (file) => ["run", "--adapter", "caddyfile", "--config", file],
  },
};

const isInstalled = (program: string): boolean =>
  spawnSync(program, ["-h"]).error === undefined && spawnSync("openssl", ["version"]).status === 0;

for (const [name, proxy] of Object.entries(PROXIES))
  describe.skipIf(!isInstalled(name))(`the site behind the example for ${name}`, () => {
    const cleanup = new AsyncDisposableStack();
    let site: RunningProcess;
    let https = 0;
    let http = 0;
    let ca = "";

    beforeAll(async () => {
      // The configurations do not quote their paths.
      const directory = await mkdtemp(join(tmpdir(), "larkfell-proxy-"));
      cleanup.defer(() => rm(directory, { recursive: true }));
      const dataDir = cleanup.use(await startedDirectory());
      site = cleanup.use(
        await startProcess("server/build/site.js", { DATA_DIR: dataDir.path, TRUST_PROXY: "1", SITE_URL: "https://www.example.org" }),
      );
      const subject = ["-subj", "/CN=www.example.org", "-addext", "subjectAltName=DNS:www.example.org"];
      execFileSync("openssl", [..."req -x509 -newkey rsa:2048 -nodes -keyout privkey.pem -out fullchain.pem".split(" "), ...subject], {
        cwd: directory,
        stdio: "ignore",
      });
      ca = await readFile(join(directory, "fullchain.pem"), "utf8");
      [https, http] = [await freePort(), await freePort()];
      const file = join(directory, proxy.file);
      const example = await readFile(`docs/proxy/${proxy.file}`, "utf8");
      await writeFile(file, proxy.adapt(example, { https, http, site: new URL(site.url).host, directory }));
      const child = spawn(name, proxy.args(file), { stdio: "inherit" });
      cleanup.defer(async () => {
        child.kill("SIGTERM");
        await once(child, "close");
      });
      // Fails until the proxy listens.
      await vi.waitFor(() => request("/health"), 60_000);
    });
    afterAll(() => cleanup.disposeAsync());

    async function request(path: string, headers: Record<string, string> = {}, body?: Buffer): Promise<{ status: unknown; body: string }> {
      const session = connect(`https://127.0.0.1:${https}`, { ca, servername: "www.example.org" });
      session.on("error", () => undefined);
      try {
        const method = body ? "POST" : "GET";
        const stream = session.request({ ":authority": "www.example.org", ":path": path, ":method": method, ...headers });
        stream.end(body);
        const [answer] = await once(stream, "response");
        return { status: answer[":status"], body: await text(stream) };
      } finally {
        session.close();
      }
    }

    test("answers over HTTP/2 with addresses of the public name", async () => {
      const { body } = await request("/");
      expect(body).toContain('<link rel="canonical" href="https://www.example.org/"');
    });

    test("accepts WebSockets", async () => {
      const key = /name="publishable-key" content="([^"]+)"/.exec((await request("/admin")).body)?.[1];
      const socket = new WebSocket(`wss://127.0.0.1:${https}/realtime/v1/websocket?apikey=${key}&vsn=2.0.0`, {
        agent: new Agent({ ca, servername: "www.example.org" }),
        headers: { host: "www.example.org" },
      });
      await once(socket, "open");
      socket.send(JSON.stringify([null, "1", "phoenix", "heartbeat", {}]));
      const [data] = await once(socket, "message");
      expect(String(data)).toContain('"status":"ok"');
      socket.terminate();
    });

    test("leaves the limit of an upload to the server", async () => {
      const { status, body } = await request("/storage/v1/object/any/file", { "content-type": "image/png" }, Buffer.alloc(3_000_000));
      expect([status, body]).not.toEqual([413, expect.stringContaining("<html>")]);
      expect(JSON.parse(body)).toHaveProperty("message");
    });

    test.runIf(name === "nginx")("leads plain HTTP to HTTPS", async () => {
      const [response] = await once(get({ port: http, path: "/blog?page=2", headers: { host: "www.example.org" } }), "response");
      expect([response.statusCode, response.headers.location]).toEqual([301, "https://www.example.org/blog?page=2"]);
    });
  });
