import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { readMigrations } from "../backend/src/db/migrate/migration-files.ts";
import { expect, test } from "vitest";
import released from "./released-migrations.json" with { type: "json" };

// Databases hold the migrations of a release: to change one of these files would be refused at their next start (decision 030).

test.for(Object.entries(released))("%s is the file that was released", async ([path, digest]) => {
  const text = await readFile(new URL(`../${path}`, import.meta.url), "utf8");
  expect(createHash("sha256").update(text).digest("hex")).toBe(digest);
});

test("migrations that are not released define each function once", async () => {
  const migrations = await readMigrations(fileURLToPath(new URL("../supabase/migrations", import.meta.url)));
  const names = migrations
    .filter(({ path }) => !Object.keys(released).some((name) => path.endsWith(name)))
    .flatMap(({ text }) => Array.from(text.matchAll(/^create (?:or replace )?function ([\w.]+)/gm), ([, name]) => name));
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});
