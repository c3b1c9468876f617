import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:http2";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { freePort } from "backend/test/free-port.ts";
import { vi } from "vitest";

/** A proxy with the example configuration of docs/proxy, other ports and a certificate of its own; disposing of it stops it. */
export interface Proxy extends AsyncDisposable {
  https: number;
  /** The port for plain HTTP, if the example names it. */
  http: number;
  /** The certificate, as the only authority that a client trusts. */
  ca: string;
  /** The file of the certificate. */
  caFile: string;
  request(path: string, headers?: Record<string, string>, body?: Buffer | string): Promise<ProxyAnswer>;
}

interface ProxyAnswer {
  status: number;
  body: string;
}

interface Example {
  file: string;
  adapt(example: string, at: { https: number; http: number; sites: readonly string[]; directory: string }): string;
  args(file: string): string[];
}

const PROXIES = {
  nginx: {
    file: "nginx.conf",
    adapt: (example, { https, http, sites, directory }) =>
      `daemon off; pid ${directory}/nginx.pid; error_log stderr crit; events {} http { access_log off; ` +
      ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${directory}/${name}; `).join("") +
      example
        .replaceAll(/^\s*listen \[::\].*$/gm, "")
        .replace("listen 80", `listen 127.0.0.1:${http}`)
        .replace("listen 443", `listen 127.0.0.1:${https}`)
        .replace(/server 127\.0\.0\.1:3000(.*);/, (_, settings) => sites.map((site) => `server ${site}${settings};`).join(" "))
        .replaceAll(/\/etc\/letsencrypt\/live\/[^/]+/g, directory) +
      "}",
    args: (file) => ["-c", file],
  },
  caddy: {
    file: "Caddyfile",
    adapt: (example, { https, http, sites, directory }) =>
      `{\n admin off\n log {\n level ERROR\n }\n auto_https disable_redirects\n http_port ${http}\n}\n` +
      example
        .replace(
          /^www\.example\.org \{/m,
          `https://www.example.org:${https} {\n\tbind 127.0.0.1\n\ttls ${directory}/fullchain.pem ${directory}/privkey.pem`,
        )
        .replace("127.0.0.1:3000 {", `${sites.join(" ")} {`),
    args: (file) => ["run", "--adapter", "caddyfile", "--config", file],
  },
} satisfies Record<string, Example>;

export type ProxyName = keyof typeof PROXIES;

/** True if the proxy can run here with a certificate. */
export function canRunProxy(name: ProxyName): boolean {
  return spawnSync(name, ["-h"]).error === undefined && spawnSync("openssl", ["version"]).status === 0;
}

/** Starts a proxy in front of the sites at these addresses, and waits until it answers. */
export async function startProxy(name: ProxyName, siteUrls: readonly string[]): Promise<Proxy> {
  const example: Example = PROXIES[name];
  // The configurations do not quote their paths.
  const directory = await mkdtemp(join(tmpdir(), "larkfell-proxy-"));
  const subject = ["-subj", "/CN=www.example.org", "-addext", "subjectAltName=DNS:www.example.org"];
  execFileSync("openssl", [..."req -x509 -newkey rsa:2048 -nodes -keyout privkey.pem -out fullchain.pem".split(" "), ...subject], {
    cwd: directory,
    stdio: "ignore",
  });
  const caFile = join(directory, "fullchain.pem");
  const ca = await readFile(caFile, "utf8");
  const [https, http] = [await freePort(), await freePort()];
  const file = join(directory, example.file);
  const sites = siteUrls.map((url) => new URL(url).host);
  await writeFile(file, example.adapt(await readFile(`docs/proxy/${example.file}`, "utf8"), { https, http, sites, directory }));
  const child = spawn(name, example.args(file), { stdio: "inherit" });

  async function request(path: string, headers: Record<string, string> = {}, body?: Buffer | string): Promise<ProxyAnswer> {
    const session = connect(`https://127.0.0.1:${https}`, { ca, servername: "www.example.org" });
    session.on("error", () => undefined);
    try {
      const method = body === undefined ? "GET" : "POST";
      const stream = session.request({ ":authority": "www.example.org", ":path": path, ":method": method, ...headers });
      stream.end(body);
      const [answer] = await once(stream, "response");
      return { status: Number(answer[":status"]), body: await text(stream) };
    } finally {
      session.close();
    }
  }

  // Fails until the proxy listens.
  await vi.waitFor(() => request("/health"), 60_000);
  return {
    https,
    http,
    ca,
    caFile,
    request,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await once(child, "close");
      await rm(directory, { recursive: true });
    },
  };
}
