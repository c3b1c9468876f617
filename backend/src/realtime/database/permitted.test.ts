import { beforeEach, describe, expect, test } from "vitest";
import { describeDatabases } from "../../../test/database.ts";
import { asIdentity } from "../../db/as-identity.ts";
import type { Database } from "../../db/database.ts";
import { run } from "./feed-fixture.ts";

const REQUEST = { method: "GET", path: "/", headers: {} };
const ANN = { role: "authenticated", claims: { role: "authenticated", sub: "ann" }, authenticated: true };
const ME = "auth.jwt() ->> 'sub'";

const SCHEMA = `
  drop schema if exists hidden, "Odd schema" cascade;
  drop table if exists public.papers, public.members, public."Odd ""table" cascade;
  drop role if exists realtime_readers;
  create schema hidden;
  create schema "Odd schema";
  create table public.members (name text, paper int, papers int);
  create table public.papers (
    id int primary key, owner text, "position" int, record text, condition text, command text, papers text, relation text, gone text,
    twice int generated always as (id * 2) stored, tags jsonb, at timestamptz, amounts numeric[], parts int4range, "Odd ""name" text
  );
  alter table public.papers drop column gone;
  alter table public.papers add column late text default 'late';
  alter table public.papers enable row level security;
  alter table public.members enable row level security;
  create policy "own" on public.members using (name = ${ME});
  grant usage on schema hidden, "Odd schema" to authenticated;
  grant select, insert on public.papers, public.members to authenticated;
  grant execute on all functions in schema realtime to authenticated;
  create or replace function hidden.is_ann(name text) returns boolean language sql stable as $$ select name = 'ann' $$;
  create or replace function public.knows(paper int) returns boolean language sql stable security definer set search_path = ''
    as $$ select exists (select from public.members where members.paper = knows.paper) $$;
  create or replace function public.asks(paper int) returns boolean language sql stable
    as $$ select exists (select from members where members.paper = asks.paper) $$;
  create or replace function public.whole(papers) returns boolean language sql stable as $$ select $1.id > 2 and $1.owner is not null $$;
  insert into public.members values ('ann', 1, 1), ('ben', 2, 2);
  insert into public.papers (id, owner, "position", record, condition, command, papers, relation, tags, at, amounts, parts, "Odd ""name") values
    (1, 'ann', 1, 'a', 'x', 'r', 'p', 'q', '{"k": ["v"]}', '2026-01-01 12:00+02', '{1.5,NaN}', '[1,5)', 'odd'),
    (2, 'ben', 2, 'b', 'y', 'a', null, 'q', null, 'infinity', '{}', 'empty', null),
    (3, 'ann', 3, null, null, null, null, null, '{"k": []}', '-infinity', null, null, null),
    (4, null, 4, 'd', 'x', 'r', 'p', null, '[1]', '2026-01-01', '{{1,2},{3,4}}', '[3,9)', 'it''s "odd"');`;

// Each script makes policies; SELECT as the same user says which rows they show.
const POLICIES: [name: string, script: string][] = [
  ["no policy", ""],
  ["a condition", `create policy p on papers using (owner = ${ME})`],
  [
    "columns named like parts of the check",
    `create policy p on papers using ("position" > 1 and (record is null or condition = 'x') and (command is null or command = 'r'))`,
  ],
  ["a column named like its table", `create policy p on papers using (papers = 'p')`],
  ["a column named like a parameter of the check", `create policy p on papers using (relation is not null)`],
  ["a column with a quote", `create policy p on papers using ("Odd ""name" is not null)`],
  ["a generated column", `create policy p on papers using (twice > 4)`],
  ["a column added later", `create policy p on papers using (late = 'late' and id < 3)`],
  ["the whole row", `create policy p on papers using (whole(papers.*))`],
  ["a test of the whole row", `create policy p on papers using (papers.* is not null or id = 3)`],
  ["a sub-select with an outer reference", `create policy p on papers using (exists (select from members where paper = id))`],
  [
    "a sub-select whose columns have the same names",
    `create policy p on papers using (id in (select papers from members where members.papers = papers.id))`,
  ],
  [
    "a sub-select on the same table",
    `create policy "all" on papers using (true); alter table papers disable row level security;
    create policy p on members using (paper in (select id from papers where papers.owner = members.name)); alter table papers enable row level security`,
  ],
  [
    "a sub-select with a CTE of the same name",
    `create policy p on papers using (id = (with papers as (select max(paper) as id from members) select papers.id from papers))`,
  ],
  ["a function that runs as its owner", `create policy p on papers using (knows(id))`],
  ["a function that runs as the caller", `create policy p on papers using (asks(id))`],
  ["a function of another schema", `create policy p on papers using (hidden.is_ann(owner))`],
  ["a setting", `create policy p on papers using (owner = current_setting('request.jwt.claims', true)::json ->> 'sub')`],
  [
    "a setting that a caller could not set",
    `create policy p on papers using (id::text = coalesce(current_setting('realtime.announced', true), '1'))`,
  ],
  ["the current user", `create policy p on papers using (current_user = 'authenticated' and session_user <> current_user and id = 1)`],
  ["json, times, arrays and ranges", `create policy p on papers using (tags ? 'k' or at = '-infinity' or 4 <@ parts or amounts[2][1] = 3)`],
  ["two permissive ones", `create policy p on papers using (id = 1); create policy q on papers for select using (id = 2)`],
  ["a restrictive one alone", `create policy p on papers as restrictive using (id = 1)`],
  [
    "permissive and restrictive ones",
    `create policy p on papers using (id < 4); create policy q on papers as restrictive using (owner = 'ann'); create policy r on papers as restrictive for select using (id > 1)`,
  ],
  [
    "a restrictive one that is null",
    `create policy p on papers using (true); create policy q on papers as restrictive using (owner <> 'ben')`,
  ],
  ["one for another command", `create policy p on papers for update using (true); create policy q on papers for delete using (true)`],
  ["one for another role", `create policy p on papers to anon, service_role using (true)`],
  [
    "one for a role of which the caller is a member",
    `create role realtime_readers; grant realtime_readers to authenticated; create policy p on papers to realtime_readers using (id = 2)`,
  ],
  [
    "one for a role that the caller may only become",
    `create role realtime_readers; grant realtime_readers to authenticated with inherit false; create policy p on papers to realtime_readers using (true)`,
  ],
  [
    "operators that are precedence traps",
    `create policy p on papers using (id = 1 or owner = 'ben'); create policy q on papers as restrictive using (id = 3 or owner = 'ben')`,
  ],
  ["text that looks like SQL", `create policy p on papers using (owner <> ''') or (true) -- ' and id = 1)`],
];

describeDatabases("realtime.permitted", (open) => {
  let database: Database;
  const ready = open();
  beforeEach(async () => {
    database = await ready;
    await run(database, SCHEMA);
  });

  const permitted = (table: string, command: "r" | "a", records: string): Promise<{ positions: number[] }[]> =>
    asIdentity(database, ANN, REQUEST, (tx) =>
      tx.query<{ positions: number[] }>(`select realtime.permitted($1::text::regclass, '${command}', $2::text::jsonb) as positions`, [
        table,
        records,
      ]),
    );
  const records = async (table: string): Promise<string> => {
    const [row] = await database.transaction((tx) =>
      tx.query<{ records: string }>(`select jsonb_agg(to_jsonb(t) order by id)::text as records from ${table} as t`),
    );
    return row?.records ?? "[]";
  };

  describe("with policies of", () => {
    test.each(POLICIES)("%s permits the rows that SELECT shows", async (_, script) => {
      if (script !== "") await run(database, script);
      const shown = await asIdentity(database, ANN, REQUEST, (tx) => tx.query<{ id: number }>("select id from public.papers order by id"));
      const [result] = await permitted("public.papers", "r", await records("public.papers"));
      expect(result?.positions).toEqual(shown.map(({ id }) => id));
    });
  });

  test("quotes the names of a table, its schema and its columns", async () => {
    const name = '"Odd schema"."Odd ""table; drop"';
    await run(
      database,
      `create table ${name} (id int primary key, "realtime.given" text, "a""b" text);
        alter table ${name} enable row level security;
        create policy p on ${name} using ("realtime.given" = 'x' and exists (select from public.members where "Odd ""table; drop"."a""b" = name));
        insert into ${name} values (1, 'x', 'ann'), (2, 'x', 'ben'), (3, 'y', 'ann')`,
    );
    expect(await permitted(name, "r", await records(name))).toEqual([{ positions: [1] }]);
  });

  test("permits the rows that INSERT accepts", async () => {
    await run(
      database,
      `create policy c on papers for insert with check (owner = 'ann'); create policy d on papers as restrictive for insert with check (id > 10);
        create policy e on papers using (id = 7); create policy f on papers for select using (true)`,
    );
    const rows = [
      { id: 7, owner: "ben" },
      { id: 8, owner: "ann" },
      { id: 12, owner: "ann" },
      { id: 13, owner: "ben" },
      { id: 14, owner: null },
    ];
    const accepted = await Promise.all(
      rows.map(({ id, owner }) =>
        asIdentity(database, ANN, REQUEST, (tx) => tx.query("insert into papers (id, owner) values ($1, $2)", [id, owner]), {
          rollback: true,
        }).then(
          () => true,
          () => false,
        ),
      ),
    );
    const whole = await database.transaction((tx) =>
      tx.query<{ rows: string }>(
        "select jsonb_agg(to_jsonb(jsonb_populate_record(null::papers, value)))::text as rows from jsonb_array_elements($1::text::jsonb)",
        [JSON.stringify(rows)],
      ),
    );
    expect(accepted).toEqual([false, false, true, false, false]);
    expect(await permitted("public.papers", "a", whole[0]?.rows ?? "")).toEqual([{ positions: [3] }]);
  });

  test("permits everything to the owner of the table, unless its policies are forced on it, and to roles that bypass them", async () => {
    const rows = await records("public.papers");
    const ask = (role: string) =>
      asIdentity(database, { role, claims: { role }, authenticated: true }, REQUEST, (tx) =>
        tx.query("select realtime.permitted('public.papers', 'r', $1::text::jsonb) as positions", [rows]),
      );
    expect(await ask("service_role")).toEqual([{ positions: [1, 2, 3, 4] }]);
    expect(await ask("anon")).toEqual([{ positions: [] }]);
    await run(database, "grant create on schema public to anon; alter table papers owner to anon");
    expect(await ask("anon")).toEqual([{ positions: [1, 2, 3, 4] }]);
    await run(database, "alter table papers force row level security");
    expect(await ask("anon")).toEqual([{ positions: [] }]);
    await run(database, "revoke create on schema public from anon");
  });

  test.each([
    ["after a column was renamed", "", "alter table papers rename owner to holder", "55000"],
    ["after a column was added", "", "alter table papers add column secret boolean", "55000"],
    ["if a condition needs a system column", "create policy q on papers using (tableoid is not null)", "", "42703"],
    ["if a condition fails", "create policy q on papers as restrictive using (1 / (id - 2) < 9)", "", "22012"],
    ["if a column is named like one of the check", 'alter table papers rename command to "realtime.position"', "", "42702"],
  ])("fails, so that no row is shown, %s", async (_, before, after, code) => {
    await run(database, `create policy p on papers using (owner is null or id > 0); ${before}`);
    const rows = await records("public.papers");
    await run(database, `select; ${after}`);
    await expect(permitted("public.papers", "r", rows)).rejects.toMatchObject({ code });
  });

  test("fails if a policy uses a virtual column, whose value triggers do not see", async () => {
    const [server] = await database.transaction((tx) =>
      tx.query("select current_setting('server_version_num')::integer >= 180000 as knows"),
    );
    if (server?.["knows"] !== true) return;
    await run(database, "alter table papers add column is_secret boolean generated always as (owner = 'ben') virtual");
    const rows = JSON.stringify(JSON.parse(await records("public.papers")).map((row: object) => Object.assign(row, { is_secret: null })));
    await run(database, "create policy p on papers using (id = 1)");
    expect(await permitted("public.papers", "r", rows)).toEqual([{ positions: [1] }]);
    await run(database, "drop policy p on papers; create policy p on papers using (is_secret is not true)");
    await expect(permitted("public.papers", "r", rows)).rejects.toMatchObject({ code: "0A000" });
    await run(database, "drop policy p on papers; create policy p on papers using (not (papers.* is null))");
    await expect(permitted("public.papers", "r", rows)).rejects.toMatchObject({ code: "0A000" });
  });
});
