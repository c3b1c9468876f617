import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@supabase/supabase-js";
import { prepareDataDirectory, testLog } from "backend/test/database.ts";
import { serveHttp } from "backend/test/http-server.ts";
import { TEMPORARY_FILES } from "backend/test/temporary-files.ts";
import { backendEnvironment, readEnvironment } from "server/environment/environment.ts";
import { startBackend } from "server/start-backend.ts";
import { afterAll, expect, inject, test, vi } from "vitest";
import { erasePerson } from "./commands/erase-person.ts";
import { exportPerson } from "./commands/export-person.ts";

const SECRET_KEY = "sb_secret_person-0123456789abcdef";
const EMAIL = "ada@mail.example";

const cleanup = new AsyncDisposableStack();
afterAll(async () => {
  vi.unstubAllEnvs();
  await cleanup.disposeAsync();
});

test("the data of a person are written as JSON and as a page, and erased only after a confirmation, which names the law", async () => {
  const directory = cleanup.adopt(await mkdtemp(join(TEMPORARY_FILES, "larkfell-person-")), (path) =>
    rm(path, { recursive: true, force: true }),
  );
  const env = {
    DATA_DIR: join(directory, "data"),
    SECRET_KEY,
    START_FRESH: "secrets",
    STAFF_EMAIL: "jo@larkfell.example",
    STAFF_PASSWORD: "seven lanes",
  };
  prepareDataDirectory(env.DATA_DIR, inject("projectDatabase"));
  const options = { url: "http://larkfell.example", log: testLog };
  const backend = cleanup.adopt(await startBackend(readEnvironment(backendEnvironment, env), options), (one) => one.close());
  const server = cleanup.adopt(await serveHttp((request) => backend.fetch(request)), (one) => one.close());
  for (const [name, value] of Object.entries({ ...env, PORT: new URL(server.url).port })) vi.stubEnv(name, value);
  const service = createClient(server.url, SECRET_KEY, { auth: { persistSession: false } });
  await service.from("enquiries").insert({ name: "Ada <b>Fell", reply_to: EMAIL, message: 'Is "CCTV" & more in May?' });

  const into = join(directory, "ada");
  expect(await exportPerson(EMAIL, { into })).toContain("with 2 records.");
  const page = await readFile(join(into, "person.html"), "utf8");
  expect(page).toContain("<dt>name</dt><dd>Ada &lt;b&gt;Fell</dd>");
  expect(page).toContain("Is &quot;CCTV&quot; &amp; more in May?");
  expect(JSON.parse(await readFile(join(into, "person.json"), "utf8"))).toMatchObject({
    contact: EMAIL,
    enquiries: [{ name: "Ada <b>Fell" }],
  });
  if (process.platform !== "win32") expect((await stat(join(into, "person.json"))).mode & 0o077).toBe(0);
  await expect(exportPerson(EMAIL, { into })).rejects.toMatchObject({ code: "EEXIST" });
  await expect(exportPerson("ada", { into: join(directory, "none") })).rejects.toThrow("neither an e-mail address nor a phone number");

  const begun = { course_name: "Lvl 3 Close Protection", course_date: new Date(Date.now() - 20 * 86_400_000).toISOString() };
  const { data } = await service.from("course_dates").insert(begun).select("id").single();
  await service.from("bookings").insert({ course_id: data?.id, name: "Ada Fell", email: EMAIL });

  const plan = await erasePerson(EMAIL, { confirmed: false });
  expect(plan).toContain("Would be erased:\n  bookings: 0\n  enquiries: 1");
  for (const text of [
    "Finance Act 1998",
    "1 bookings of courses that run now or later",
    "Backups of each night",
    "DATA_DIR/before-upgrade",
  ])
    expect(plan).toContain(text);
  expect((await service.from("enquiries").select("id")).data).toHaveLength(1);
  expect(await erasePerson(EMAIL, { confirmed: true })).toContain("Erased:\n  bookings: 0\n  enquiries: 1");
  expect((await service.from("enquiries").select("id")).data).toEqual([]);
});
