import { createReadStream, existsSync } from "node:fs";
import { mkdir, mkdtempDisposable, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { createZstdDecompress } from "node:zlib";
import { createClient } from "@supabase/supabase-js";
import { testLog } from "backend/test/database.ts";
import { serveHttp } from "backend/test/http-server.ts";
import { TEMPORARY_FILES } from "backend/test/temporary-files.ts";
import { backendEnvironment, readEnvironment } from "server/environment/environment.ts";
import { startBackend } from "server/start-backend.ts";
import { extract } from "tar-stream";
import { expect, test } from "vitest";
import { CONTENT } from "./make-fixture.ts";

const FIXTURES = join(import.meta.dirname, "fixtures");
const fixtures = await readdir(FIXTURES);

async function unpack(fixture: string, directory: string): Promise<void> {
  const archive = createReadStream(fixture).pipe(createZstdDecompress()).pipe(extract());
  for await (const entry of archive) {
    const { name, type, mode } = entry.header;
    const path = join(directory, name);
    if (type === "directory") await mkdir(path, { mode });
    else await writeFile(path, await buffer(entry), { mode });
    entry.resume();
  }
}

test("there is a data directory of each released version", async () => {
  const released = [...(await readFile("CHANGELOG.md", "utf8")).matchAll(/^## (\d\S+),/gm)].map(
    ([, version]) => `larkfell-${version}.tar.zst`,
  );
  expect(fixtures).toEqual(released.toSorted());
});

test.each(fixtures)("the data directory %s is upgraded, and its account, now the owner, booking and file can be used", async (name) => {
  await using directory = await mkdtempDisposable(join(TEMPORARY_FILES, "larkfell-fixture-"));
  const DATA_DIR = directory.path;
  await unpack(join(FIXTURES, name), DATA_DIR);
  const backend = await startBackend(readEnvironment(backendEnvironment, { DATA_DIR }), { url: "http://larkfell.example", log: testLog });
  const server = await serveHttp((request) => backend.fetch(request));
  try {
    expect(existsSync(join(DATA_DIR, "before-upgrade/database"))).toBe(true);
    const staff = createClient(server.url, backend.publishableKey, { auth: { persistSession: false, autoRefreshToken: false } });
    expect((await staff.auth.signInWithPassword(CONTENT.staff)).error).toBeNull();
    expect((await staff.rpc("own_role")).data).toBe("owner");
    const bookings = await staff.from("bookings").select("name, email, places, course_dates (course_name, capacity)");
    const { course_name, capacity } = CONTENT.date;
    expect(bookings.data).toEqual([{ ...CONTENT.booking, course_dates: { course_name, capacity } }]);
    const { secretKey } = JSON.parse(await readFile(join(DATA_DIR, "secrets.json"), "utf8"));
    const file = await createClient(server.url, secretKey).storage.from(CONTENT.file.bucket).download(CONTENT.file.name);
    expect(await file.data?.text()).toBe(CONTENT.file.text);
  } finally {
    await server.close();
    await backend.close();
  }
});
