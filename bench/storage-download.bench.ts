import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "../backend/test/free-port.ts";
import { load, median, report } from "./load.ts";
import { BUCKET, SECRET_KEY, startStorage } from "./storage-process.ts";

// Downloads of 100 KB files: at least 0.7 of the rate of a minimal Node file server in the same run.

const SIZE = 100 * 1024;
const ROUNDS = 5;

await using storage = await startStorage();
const { url } = storage.process;
// Starts like a picture; the other bytes are not read.
const picture = Uint8Array.from(Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), randomBytes(SIZE - 4)]));
const upload = await fetch(`${url}/storage/v1/object/${BUCKET}/a.jpg`, {
  method: "POST",
  headers: { apikey: SECRET_KEY, "Content-Type": "image/jpeg" },
  body: picture,
});
if (!upload.ok) throw new Error(await upload.text());
const files = join(storage.directory, "files");
await mkdir(files);
await writeFile(join(files, "a.jpg"), picture);

const port = await freePort();
const limit = spawn(process.execPath, [join(import.meta.dirname, "storage-download/static-files-server.ts"), String(port), files], {
  stdio: "inherit",
});
try {
  await delay(500);
  const ratios: number[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const ours = await load(`${url}/storage/v1/object/public/${BUCKET}/a.jpg`);
    const bare = await load(`http://127.0.0.1:${port}/a.jpg`);
    ratios.push(ours.perSecond / bare.perSecond);
    report(`public object of 100 KB, round ${round}`, ours, bare);
  }
  const headers = { apikey: SECRET_KEY };
  report(
    "the same with its policies evaluated",
    await load(`${url}/storage/v1/object/authenticated/${BUCKET}/a.jpg`, { headers }),
    await load(`http://127.0.0.1:${port}/a.jpg`),
  );
  console.log(`  median ${median(ratios).toFixed(2)} (bar: 0.70)`);
} finally {
  limit.kill();
}
