import { createWriteStream, type Dirent } from "node:fs";
import { mkdir, mkdtempDisposable, readdir, readFile, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { pipeline } from "node:stream/promises";
import { constants, createZstdCompress } from "node:zlib";
import { createClient } from "@supabase/supabase-js";
import { startServer } from "backend/test/server-process.ts";
import { pack } from "tar-stream";
import packageJson from "../../package.json" with { type: "json" };

// Writes fixtures/larkfell-<version>.tar.zst: the data directory of this version after its first start, with a booking and an uploaded file.
// Later versions upgrade it in fixtures.test.ts (decision 046).

/** The contents of a fixture. */
export const CONTENT = {
  staff: { email: "jo@larkfell.example", password: "seven lanes to Penrith" },
  date: { course_name: "Manual Handling", course_date: "2090-01-09T09:00:00Z", capacity: 4 },
  booking: { name: "Ada Fell", email: "ada@mail.example", places: 2 },
  file: { bucket: "papers", name: "list.txt", text: "Seven lanes lead to Penrith." },
};

/** The data directory contains the catalogs of three databases, which are almost the same: a window of 128 MB finds that. */
const COMPRESSION = {
  [constants.ZSTD_c_compressionLevel]: 19,
  [constants.ZSTD_c_enableLongDistanceMatching]: 1,
  [constants.ZSTD_c_windowLog]: 27,
};

async function fill(dataDir: string): Promise<void> {
  const account = { STAFF_EMAIL: CONTENT.staff.email, STAFF_PASSWORD: CONTENT.staff.password };
  await using server = await startServer("server/backend.ts", { DATA_DIR: dataDir, ...account });
  const { publishableKey, secretKey } = JSON.parse(await readFile(join(dataDir, "secrets.json"), "utf8"));
  const options = { auth: { persistSession: false, autoRefreshToken: false } };
  const staff = createClient(server.url, publishableKey, options);
  await staff.auth.signInWithPassword(CONTENT.staff).then(throwError);
  const date = await staff.from("course_dates").insert(CONTENT.date).select("id").single();
  await staff
    .from("bookings")
    .insert({ course_id: throwError(date).data?.["id"], ...CONTENT.booking })
    .then(throwError);
  const { storage } = createClient(server.url, secretKey, options);
  await storage.createBucket(CONTENT.file.bucket, { public: false }).then(throwError);
  await storage.from(CONTENT.file.bucket).upload(CONTENT.file.name, Buffer.from(CONTENT.file.text)).then(throwError);
}

function throwError<T extends { error: Error | null }>(result: T): T {
  if (result.error) throw result.error;
  return result;
}

function pathOf({ parentPath, name }: Dirent): string {
  return join(parentPath, name);
}

async function compress(directory: string, file: string): Promise<void> {
  const archive = pack();
  async function addAll(): Promise<void> {
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    for (const entry of entries.toSorted((a, b) => (pathOf(a) < pathOf(b) ? -1 : 1))) {
      const name = relative(directory, pathOf(entry));
      if (entry.isDirectory()) archive.entry({ name, type: "directory", mode: 0o700 });
      else archive.entry({ name, mode: 0o600 }, await readFile(pathOf(entry)));
    }
    archive.finalize();
  }
  await Promise.all([addAll(), pipeline(archive, createZstdCompress({ params: COMPRESSION }), createWriteStream(file))]);
}

if (import.meta.main) {
  const folder = join(import.meta.dirname, "fixtures");
  await mkdir(folder, { recursive: true });
  const file = join(folder, `larkfell-${packageJson.version}.tar.zst`);
  await using directory = await mkdtempDisposable(join(tmpdir(), "larkfell-fixture-"));
  await fill(directory.path);
  await compress(directory.path, file);
  console.log(`${file}: ${((await stat(file)).size / 1_000_000).toFixed(1)} MB`);
}
