import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import pino from "pino";
import { readConfig } from "../backend/src/config/config.ts";
import type { Database } from "../backend/src/db/database.ts";
import { migrate } from "../backend/src/db/migrate/migrate.ts";
import { readMigrations } from "../backend/src/db/migrate/migration-files.ts";
import { extensionsNamed } from "../backend/src/db/pglite/extensions.ts";
import { openPglite } from "../backend/src/db/pglite/pglite.ts";

// Writes supabase/database.types.ts from the migrations, in the form of `supabase gen types typescript`.
// With --check it writes nothing and fails when the file is stale.

interface Column {
  relation: string;
  kind: "table" | "view";
  name: string;
  type: string;
  nullable: boolean;
  optional: boolean;
  generated: boolean;
}

interface ForeignKey {
  relation: string;
  name: string;
  columns: string[];
  target: string;
  targetColumns: string[];
  oneToOne: boolean;
}

interface Routine {
  name: string;
  args: { name: string; type: string; optional: boolean }[] | null;
  returns: string;
  set: boolean;
}

const COLUMNS = `
  select c.relname as relation, case when c.relkind in ('r', 'p') then 'table' else 'view' end as kind, a.attname as name,
    t.typname as type, not a.attnotnull as nullable,
    (a.atthasdef or a.attidentity <> '' or not a.attnotnull) as optional,
    (a.attgenerated <> '' or a.attidentity = 'a') as generated
  from pg_attribute a
  join pg_class c on c.oid = a.attrelid
  join pg_type t on t.oid = a.atttypid
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm') and a.attnum > 0 and not a.attisdropped
  order by c.relname, a.attname`;

const FOREIGN_KEYS = `
  select c.relname as relation, k.conname as name, f.relname as target,
    to_json(array(select a.attname from unnest(k.conkey) with ordinality u (num, n) join pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.num order by u.n)) as columns,
    to_json(array(select a.attname from unnest(k.confkey) with ordinality u (num, n) join pg_attribute a on a.attrelid = k.confrelid and a.attnum = u.num order by u.n)) as "targetColumns",
    exists (select from pg_index i where i.indrelid = k.conrelid and i.indisunique and i.indkey::int2[] <@ k.conkey) as "oneToOne"
  from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_class f on f.oid = k.confrelid
  where k.contype = 'f' and c.relnamespace = 'public'::regnamespace and f.relnamespace = 'public'::regnamespace
  order by c.relname, k.conname`;

const ROUTINES = `
  select p.proname as name, r.typname as returns, p.proretset as set,
    (select json_agg(json_build_object('name', p.proargnames[u.n], 'type', t.typname, 'optional', u.n > p.pronargs - p.pronargdefaults) order by u.n)
     from unnest(p.proargtypes::oid[]) with ordinality u (oid, n) join pg_type t on t.oid = u.oid) as args
  from pg_proc p join pg_type r on r.oid = p.prorettype
  where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and r.typname <> 'trigger'
  order by p.proname`;

const TYPES: Record<string, string> = {
  bool: "boolean",
  int2: "number",
  int4: "number",
  int8: "number",
  float4: "number",
  float8: "number",
  numeric: "number",
  json: "Json",
  jsonb: "Json",
  void: "undefined",
  record: "Record<string, unknown>",
};

const FRAME = `// Generated from supabase/migrations by \`npm run types\`; do not edit.
export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];
`;

const file = fileURLToPath(new URL("../supabase/database.types.ts", import.meta.url));
const text = await generate();
if (process.argv.includes("--check")) {
  if ((await readFile(file, "utf8").catch(() => "")) !== text) {
    console.error("supabase/database.types.ts is stale: run `npm run types`.");
    process.exit(1);
  }
} else await writeFile(file, text);

async function generate(): Promise<string> {
  const log = pino({ level: "silent" });
  const supabaseDir = fileURLToPath(new URL("../supabase", import.meta.url));
  const migrations = await readMigrations(`${supabaseDir}/migrations`);
  const database = await openPglite({ extensions: extensionsNamed(migrations), log });
  try {
    const config = await readConfig(supabaseDir);
    await migrate(database, { supabaseDir, config: { ...config, db: { ...config.db, seed: { enabled: false, sql_paths: [] } } }, log });
    return await describe(database);
  } finally {
    await database.close();
  }
}

function describe(database: Database): Promise<string> {
  return database.transaction(async (tx) => {
    const columns = await tx.query<Column & Record<string, unknown>>(COLUMNS);
    const keys = await tx.query<ForeignKey & Record<string, unknown>>(FOREIGN_KEYS);
    const routines = await tx.query<Routine & Record<string, unknown>>(ROUTINES);
    const relations = (kind: Column["kind"]): string =>
      block(
        [...new Set(columns.filter((column) => column.kind === kind).map((column) => column.relation))].map(
          (name) =>
            `${name}: ${relation(
              columns.filter((column) => column.relation === name),
              keys.filter((key) => key.relation === name),
            )}`,
        ),
      );
    const functions = block(
      routines.map(
        (routine) =>
          `${routine.name}: { Args: ${parameters(routine.args)}; Returns: ${tsType(routine.returns)}${routine.set ? "[]" : ""} }`,
      ),
    );
    return `${FRAME}
export type Database = {
  public: {
    Tables: ${relations("table")};
    Views: ${relations("view")};
    Functions: ${functions};
    Enums: Record<never, never>;
    CompositeTypes: Record<never, never>;
  };
};
`;
  });
}

function relation(columns: Column[], keys: ForeignKey[]): string {
  const value = (column: Column): string => tsType(column.type) + (column.nullable ? " | null" : "");
  const row = columns.map((column) => `${column.name}: ${value(column)}`);
  const insert = columns.map((column) =>
    column.generated ? `${column.name}?: never` : `${column.name}${column.optional ? "?" : ""}: ${value(column)}`,
  );
  const update = columns.map((column) => (column.generated ? `${column.name}?: never` : `${column.name}?: ${value(column)}`));
  const relationships = keys.map(
    (key) =>
      `{ foreignKeyName: ${JSON.stringify(key.name)}; columns: ${JSON.stringify(key.columns)}; isOneToOne: ${key.oneToOne}; referencedRelation: ${JSON.stringify(key.target)}; referencedColumns: ${JSON.stringify(key.targetColumns)} }`,
  );
  return `{ Row: { ${row.join("; ")} }; Insert: { ${insert.join("; ")} }; Update: { ${update.join("; ")} }; Relationships: [${relationships.join(", ")}] }`;
}

function parameters(args: Routine["args"]): string {
  return args ? `{ ${args.map((arg) => `${arg.name}${arg.optional ? "?" : ""}: ${tsType(arg.type)}`).join("; ")} }` : "never";
}

function tsType(postgresType: string): string {
  return postgresType.startsWith("_") ? `${tsType(postgresType.slice(1))}[]` : (TYPES[postgresType] ?? "string");
}

function block(lines: string[]): string {
  return lines.length === 0 ? "Record<never, never>" : `{\n      ${lines.join(";\n      ")};\n    }`;
}
