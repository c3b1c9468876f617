import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "../backend/test/free-port.ts";
import { startProcess, temporaryDirectory } from "../e2e/support/product.ts";
import { load, report } from "./load.ts";

const ENCODING = "br";

await using directory = await temporaryDirectory();
const site = await startProcess("server/site.ts", { DATA_DIR: directory.path, LOG_LEVEL: "warn" });

// fetch decompresses the body; the static server must send the same compressed bytes as the site.
const { brotliCompressSync } = await import("node:zlib");
const page = join(directory.path, "home.br");
const html = await (await fetch(site.url)).text();
await writeFile(page, brotliCompressSync(html));

const port = await freePort();
const limit = spawn(process.execPath, [join(import.meta.dirname, "static-server.ts"), String(port), page, ENCODING], { stdio: "inherit" });
try {
  await delay(500);
  const headers = { "accept-encoding": ENCODING };
  for (let round = 1; round <= 3; round += 1) {
    report(`cached home, round ${round}`, await load(site.url, { headers }), await load(`http://127.0.0.1:${port}`, { headers }));
  }
  report(
    "uncached home (query string)",
    await load(`${site.url}/?uncached`, { headers }),
    await load(`http://127.0.0.1:${port}`, { headers }),
  );
} finally {
  limit.kill();
  await site.stop();
}
