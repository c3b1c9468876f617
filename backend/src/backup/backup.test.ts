import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestPostgres, describeDatabases, openTestPglite, testLog } from "../../test/database.ts";
import type { Database } from "../db/database.ts";
import { migrate } from "../db/migrate/migrate.ts";
import { openPostgres } from "../db/postgres/postgres.ts";
import { readConfig } from "../config/config.ts";
import { checkArchive } from "./archive-reader.ts";
import { makeBackup } from "./backup.ts";
import type { Manifest } from "./manifest.ts";
import { insertRows } from "./read-tables.ts";
import { tryRestored } from "./rehearse.ts";
import { restoreDatabase } from "./restore.ts";

// Values whose text or JSON could be lost, tables that refer to each other and to themselves, and a trigger that changes rows.
const MIGRATION = `
  create type public.mood as enum ('calm', 'not calm');
  create type public.span as (first date, last date);
  create table public."Odd ""names""" (
    id bigint generated always as identity primary key,
    "a column" text, flag boolean, doubled bigint generated always as (id * 2) stored,
    exact numeric(30, 10), inexact float8, bytes bytea, content jsonb, plain json, at timestamptz, local timestamp, day date, pause interval,
    address inet, moods public.mood[], matrix integer[][], days public.span, padded char(5), other uuid, parent bigint references public."Odd ""names"""
  );
  create table public.notes (id uuid primary key, odd bigint references public."Odd ""names""" deferrable initially deferred, text text);
  alter table public."Odd ""names""" add foreign key (other) references public.notes;
  create table public.keyless (value text);
  create unlogged table public.counts (value integer);
  create table public.uses (value integer);
  comment on table public.uses is 'Not in backups: a test.';
  insert into public.keyless values ('from the migration');
  create function public.mark() returns trigger language plpgsql as $$ begin new.text = new.text || '!'; return new; end $$;
  create trigger mark before insert on public.notes for each row execute function public.mark();
  alter table public.notes enable always trigger mark;`;

const ROWS = `
  insert into public.notes values ('00000000-0000-0000-0000-000000000001', 1, 'first'), ('00000000-0000-0000-0000-000000000002', null, e'tab\\tline\\nback\\\\ "quoted" 🙂');
  insert into public."Odd ""names""" ("a column", flag, exact, inexact, bytes, content, plain, at, local, day, pause, address, moods, matrix, days, padded, other, parent)
  values
    (e'\\\\N', true, 12345678901234567890.0123456789, 0.1 + 0.2, '\\x00ff5c', 'null', '{"b": 1,  "a": [2]}', '2026-10-25 01:30:00.123456+01', '1900-01-01', 'infinity', '1 mon -2 days 03:04:05.6',
      '2001:db8::1/64', '{calm,NULL,"not calm"}', '{{1,2},{3,4}}', '(2026-01-01,)', 'ab', '00000000-0000-0000-0000-000000000002', 2),
    ('', false, 'NaN', '-Infinity', '', null, null, '-infinity', null, null, null, null, '{}', null, null, null, null, 1);
  insert into public.keyless select 'row ' || n from generate_series(1, 3000) n;
  update public.keyless set value = value || repeat('x', 800) where value like 'row 1%';
  insert into public.counts values (1);
  insert into public.uses values (1);`;

const EVERYTHING = `select row_to_json(t)::text as row from public."Odd ""names""" t union all select row_to_json(t)::text from public.notes t
  union all select count(*)::text || max(value) from public.keyless t union all select count(*)::text from public.counts union all select count(*)::text from public.uses
  union all select count(*)::text from pg_trigger where tgenabled = 'A' and not tgisinternal`;

describeDatabases("a backup", (open, kind) => {
  let directory: string;
  let supabaseDir: string;
  let file: string;
  let source: Database;
  let manifest: Manifest;
  const cleanup = new AsyncDisposableStack();

  beforeAll(async () => {
    directory = cleanup.adopt(await mkdtemp(join(tmpdir(), "larkfell-backup-")), (path) => rm(path, { recursive: true, force: true }));
    supabaseDir = join(directory, "supabase");
    file = join(directory, "one.tar");
    await mkdir(join(supabaseDir, "migrations"), { recursive: true });
    await writeFile(join(supabaseDir, "config.toml"), "");
    await writeFile(join(supabaseDir, "migrations/20260101000000_odd.sql"), MIGRATION);
    source = await open();
    await migrate(source, { supabaseDir, config: await readConfig(supabaseDir, { log: testLog }), log: testLog });
    await source.transaction((tx) => tx.script(ROWS));
    manifest = await backupTo(file, source);
  });
  afterAll(() => cleanup.disposeAsync());

  function backupTo(path: string, database: Database): Promise<Manifest> {
    return makeBackup({ file: path, database, bytes: null, secrets: null, program: "test" });
  }

  /** Opens an empty database of the other kind. */
  async function openOther(): Promise<Database> {
    if (kind === "postgres") return cleanup.adopt(await openTestPglite({ platform: false }), (database) => database.close());
    const { url, remove } = await createTestPostgres({ platform: false });
    cleanup.defer(remove);
    return cleanup.adopt(await openPostgres({ url, poolSize: 1, log: testLog }), (database) => database.close());
  }

  const restore = async (database: Database, path = file): Promise<void> =>
    restoreDatabase({ file: path, manifest: await checkArchive(path), database, supabaseDir, log: testLog });
  const rowsOf = async (database: Database): Promise<unknown> =>
    database.transaction(async (tx) => {
      await tx.script("set local timezone = 'UTC'");
      return tx.query(EVERYTHING);
    });

  test("has the same rows after a restore into the other kind of database, and a backup of that has the same sums", async () => {
    const other = await openOther();
    await restore(other);
    const expected = await rowsOf(source);
    const found = await rowsOf(other);
    // Unlogged rows and those of tables that say so are in no backup.
    expect(found).toEqual(JSON.parse(JSON.stringify(expected).replace('{"row":"1"},{"row":"1"}', '{"row":"0"},{"row":"0"}')));
    const again = await backupTo(join(directory, "again.tar"), other);
    expect(again.tables).toEqual(manifest.tables);
    expect(again.sequences).toEqual(manifest.sequences);
    // The trigger works again, and the identity continues.
    await other.transaction(async (tx) => {
      await tx.query("insert into public.notes values ('00000000-0000-0000-0000-000000000003', null, 'new')");
      await tx.query(`insert into public."Odd ""names""" default values`);
      expect(
        await tx.query(`select max(id) as id, (select text from public.notes where text like 'new%') from public."Odd ""names"""`),
      ).toEqual([{ id: 3, text: "new!" }]);
    });
    await expect(restore(other)).rejects.toMatchObject({ code: "not_empty" });
  });

  // These do not depend on the database.
  if (kind === "postgres") return;

  test("of an older version is migrated forward with its rows; one of a newer version is refused", async () => {
    const added = join(supabaseDir, "migrations/20260102000000_length.sql");
    await writeFile(added, "alter table public.keyless add column length integer; update public.keyless set length = length(value);");
    const forward = await openOther();
    await restore(forward);
    const newer = join(directory, "newer.tar");
    await backupTo(newer, forward);
    const [row] = await forward.transaction((tx) => tx.query("select count(*) as rows from public.keyless where length > 0"));
    expect(row).toEqual({ rows: 3001 });
    await rm(added);
    const empty = await openOther();
    await expect(restore(empty, newer)).rejects.toMatchObject({ code: "newer", message: expect.stringContaining("20260102000000") });
    await restore(empty);
  });

  test("is restored by a process without the variables that config.toml names for sign-ins", async () => {
    const config = join(supabaseDir, "config.toml");
    await writeFile(config, '[auth.external.google]\nenabled = true\nclient_id = "env(NO_SUCH_VARIABLE)"');
    await expect(restore(await openOther())).resolves.toBeUndefined();
    await writeFile(config, "");
  });

  test("is whole if two processes write one of that name, and the remains of a killed process are removed", async () => {
    const twice = join(directory, "twice.tar");
    // No process has this id.
    await writeFile(`${twice}.4194999-0123abcd.unfinished`, "remains");
    const results = await Promise.allSettled([backupTo(twice, source), backupTo(twice, source)]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(results.find(({ status }) => status === "rejected")).toMatchObject({ reason: { code: "exists" } });
    await checkArchive(twice);
    expect((await readdir(directory)).filter((name) => name.includes("unfinished"))).toEqual([]);
  });

  test("is not written over an existing file, and leaves nothing when it fails", async () => {
    await expect(backupTo(file, source)).rejects.toMatchObject({ code: "exists" });
    const missing = join(directory, "failed.tar");
    const bytes = { stat: () => Promise.reject(new Error("no storage")), read: () => Promise.resolve(null) };
    await source.transaction((tx) =>
      tx.script(
        "insert into storage.buckets (id, name) values ('b', 'b'); insert into storage.objects (bucket_id, name, version) values ('b', 'n', 'v')",
      ),
    );
    await expect(makeBackup({ file: missing, database: source, bytes, secrets: null, program: "test" })).rejects.toThrow("no storage");
    await expect(readFile(missing)).rejects.toThrow("ENOENT");
    expect((await readdir(directory)).filter((name) => name.includes("unfinished"))).toEqual([]);
  });

  test("fails its rehearsal with a password hash or an uploaded file that cannot be used", async () => {
    const id = "00000000-0000-0000-0000-000000000001";
    const attempt = async (statement: string): Promise<void> => {
      await source.transaction((tx) => tx.script(statement));
      await tryRestored(source, file, { objects: { count: 1, bytes: 1, missing: [] } });
    };
    await attempt("set local storage.allow_delete_query = 'true'; delete from storage.objects");
    const hash = "$2b$04$abcdefghijklmnopqrstuuMTIhR0oOQ0iZJFJ8XQ8ZLXPE5F0Y5Sa";
    await attempt(`insert into auth.users (id, encrypted_password) values ('${id}', '${hash}')`);
    await expect(attempt("update auth.users set encrypted_password = '$argon2id$cut'")).rejects.toThrow("A password hash of the backup");
    await attempt(`update auth.users set encrypted_password = '${hash}'`);
    await expect(attempt("insert into storage.objects (bucket_id, name, version) values ('b', 'lost', 'lost')")).rejects.toThrow(
      "file lost of",
    );
  });

  test("with rows that cannot be decompressed is refused", async () => {
    const table = { schema: "public", name: "keyless", columns: [{ name: "value", type: "text" }], order: [] };
    const insertion = source.transaction((tx) => insertRows(tx, table, Buffer.from("not compressed")));
    await expect(insertion).rejects.toMatchObject({ code: "damaged", message: expect.stringContaining('"public"."keyless"') });
  });

  test("with one damaged bit is refused, wherever the bit is", async () => {
    const original = await readFile(file);
    const damaged = join(directory, "damaged.tar");
    const inTable = original.indexOf("tables/public.keyless") + 512 + 100;
    const inManifest = original.indexOf('"platform"');
    const inSums = original.indexOf("  README.txt") - 10;
    for (const [position, line] of [
      [inTable, "the sum of tables/public.keyless/"],
      [inManifest, "the sum of manifest.json is wrong"],
      [inSums, "the sum of README.txt is wrong"],
      [original.indexOf("manifest.json\0"), "it cannot be read as a tar file"],
    ] as const) {
      const bytes = Buffer.from(original);
      bytes.writeUInt8(bytes.readUInt8(position) ^ 4, position);
      await writeFile(damaged, bytes);
      await expect(checkArchive(damaged)).rejects.toMatchObject({ code: "damaged", message: expect.stringContaining(line) });
    }
    await writeFile(damaged, original.subarray(0, original.length - 4096));
    await expect(checkArchive(damaged)).rejects.toMatchObject({ code: "damaged" });
  });
});
