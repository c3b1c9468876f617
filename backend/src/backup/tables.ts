import type { Transaction } from "../db/database.ts";
import { quoteIdentifier } from "../db/quote.ts";
import type { Manifest, ManifestTable } from "./manifest.ts";

/**
 * The tables of the running processes, whose rows mean nothing in another database. Unlogged tables are left out too, and those of a
 * project whose comment begins with "Not in backups".
 */
const PROCESS_STATE = ["realtime.outbox", "realtime.readers", "storage.backups"];

/** A table without its rows. */
export interface Table extends Pick<ManifestTable, "schema" | "name" | "columns"> {
  /** The columns that order its rows, as SQL. */
  order: string[];
}

// Text is ordered by bytes, so that the rows have the same order on every server.
const TABLES = `
  select n.nspname as schema, c.relname as name,
    (select jsonb_agg(jsonb_build_object('name', attname, 'type', format_type(atttypid, atttypmod)) order by attnum)
      from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
    coalesce((select jsonb_agg('t.' || quote_ident(attname) || case when attcollation <> 0 then ' collate "C"' else '' end order by position)
      from pg_index, unnest(indkey) with ordinality as keys (number, position), pg_attribute
      where indrelid = c.oid and indisprimary and attrelid = c.oid and attnum = keys.number), '["t::text collate \\"C\\""]') as "order"
  from pg_class c join pg_namespace n on n.oid = relnamespace
  where relkind = 'r' and relpersistence = 'p' and nspname !~ '^pg_' and nspname <> 'information_schema'
    and obj_description(c.oid, 'pg_class') ^@ 'Not in backups' is not true
    and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype = 'e')
    and format('%s.%s', nspname, relname) <> all ($1::text[])
  order by nspname collate "C", relname collate "C"`;

/** Lists the tables that a backup contains. */
export function listTables(tx: Transaction): Promise<Table[]> {
  return tx.query<Table & Record<string, unknown>>(TABLES, [`{${PROCESS_STATE.join()}}`]);
}

// The last value of a sequence that was never used is null.
const SEQUENCES = `
  select schemaname as schema, sequencename as name, coalesce(last_value, start_value)::text as value, last_value is not null as "isCalled"
  from pg_sequences
  where schemaname !~ '^pg_' and format('%s.%s', schemaname, sequencename) <> all ($1::text[])
  order by 1, 2`;

type Sequence = Manifest["sequences"][number];

export function listSequences(tx: Transaction): Promise<Sequence[]> {
  return tx.query<Sequence & Record<string, unknown>>(SEQUENCES, [`{${PROCESS_STATE.map((table) => `${table}_id_seq`).join()}}`]);
}

/** The name of a table as an SQL identifier. */
export function quoteTable({ schema, name }: Pick<Table, "schema" | "name">): string {
  return `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`;
}

// With these settings the text of a value depends on the value only.
const SETTINGS = `
  set local timezone = 'UTC'; set local datestyle = 'ISO, MDY'; set local intervalstyle = 'postgres';
  set local bytea_output = 'hex'; set local extra_float_digits = 1`;

/** Gives values the same text on every server, for this transaction. */
export function setTextFormat(tx: Transaction): Promise<void> {
  return tx.script(SETTINGS);
}

const AT_ONCE = 200;

/** Reads the rows of a table in the order of its key: JSON objects with the text of each value, some rows at a time. */
export async function* readRows(tx: Transaction, table: Table): AsyncGenerator<string[]> {
  const columns = table.columns.map(({ name }) => `t.${quoteIdentifier(name)}::text as ${quoteIdentifier(name)}`);
  // Each table has its own cursor name, because the result of a prepared FETCH may not change.
  const cursor = quoteIdentifier(`rows of ${table.schema}.${table.name}`.slice(0, 60));
  await tx.script(`declare ${cursor} no scroll cursor for
    select (select row_to_json(r) from (select ${columns.join(", ")}) r)::text as line
    from ${quoteTable(table)} t order by ${table.order.join(", ")}`);
  for (;;) {
    const rows = await tx.query<{ line: string }>(`fetch ${AT_ONCE} from ${cursor}`);
    if (rows.length === 0) break;
    yield rows.map(({ line }) => line);
  }
  await tx.script(`close ${cursor}`);
}
