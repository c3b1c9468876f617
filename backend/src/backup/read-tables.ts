import { constants } from "node:buffer";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Transaction } from "../db/database.ts";
import { quoteIdentifier } from "../db/quote.ts";
import { BackupError } from "./error.ts";
import { quoteTable, type Table } from "./tables.ts";

const decompress = promisify(gunzip);

/** Inserts the rows of one compressed entry and returns their number. Fails with a `BackupError` if it cannot be decompressed into one text. */
export async function insertRows(tx: Transaction, table: Table, compressed: Uint8Array): Promise<number> {
  const bytes = await decompress(compressed, { maxOutputLength: constants.MAX_STRING_LENGTH }).catch((error: unknown) => {
    throw new BackupError("damaged", `The rows of ${quoteTable(table)} in the backup cannot be decompressed.`, error);
  });
  const lines = bytes.toString().trimEnd().split("\n");
  const names = table.columns.map(({ name }) => quoteIdentifier(name));
  const texts = names.map((name) => `${name} text`).join(", ");
  const values = table.columns.map(({ type }, index) => `r.${names[index]}::${type}`).join(", ");
  await tx.query(
    `insert into ${quoteTable(table)} (${names.join(", ")}) overriding system value
      select ${values} from json_to_recordset($1::text::json) as r (${texts})`,
    [`[${lines.join(",")}]`],
  );
  return lines.length;
}

// As pg_dump does, so that the order of the rows does not matter.
const FOREIGN_KEYS = `
  select format('alter table %s drop constraint %I', conrelid::regclass, conname) as before,
    format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as after
  from pg_constraint where contype = 'f' and conparentid = 0 and connamespace::regnamespace::text !~ '^pg_'`;

const TRIGGERS = `
  select format('alter table %s disable trigger %I', tgrelid::regclass, tgname) as before,
    format('alter table %s enable %s trigger %I', tgrelid::regclass, case tgenabled when 'A' then 'always' when 'R' then 'replica' else '' end,
      tgname) as after
  from pg_trigger where not tgisinternal and tgenabled <> 'D' and tgparentid = 0`;

/** Runs `work` without foreign keys and triggers; the foreign keys are checked at the end. */
export async function withoutTriggers(tx: Transaction, work: () => Promise<void>): Promise<void> {
  const statements = [...(await tx.query<Pair>(FOREIGN_KEYS)), ...(await tx.query<Pair>(TRIGGERS))];
  await runAll(
    tx,
    statements.map(({ before }) => before),
  );
  await work();
  await runAll(
    tx,
    statements.map(({ after }) => after),
  );
}

interface Pair extends Record<string, unknown> {
  before: string;
  after: string;
}

async function runAll(tx: Transaction, statements: readonly string[]): Promise<void> {
  if (statements.length > 0) await tx.script(statements.join(";\n"));
}
