import type { Logger } from "pino";
import type { Transaction } from "../database.ts";
import { locateFailure, MigrationError } from "./migration-error.ts";
import type { SqlFile } from "./migration-files.ts";
import type { MigrationSet } from "./migration-sets.ts";

/** The state of a database compared with the migrations and seeds of this program. */
export interface State {
  /** True if nothing has to be applied. */
  isCurrent: boolean;
  /** True for the database of an installation; false for a new one. */
  isFilled: boolean;
  /** The applied migrations that this program does not have. */
  unknown: string[];
  /** The version of the program that started last; null if none is recorded. */
  program: string | null;
}

/** Reads the state of a database without a change. Fails with a `MigrationError` for a file that can never be applied. */
export async function readState(tx: Transaction, sets: readonly MigrationSet[]): Promise<State> {
  const state: State = { isCurrent: true, isFilled: false, unknown: [], program: null };
  for (const { table, readUnknown } of sets) if (await exists(tx, table)) state.unknown.push(...(await readUnknown(tx)));
  for (const { table, readPending } of sets) {
    const isMissing = !(await exists(tx, table));
    if (isMissing || (state.unknown.length === 0 && (await readPending(tx)).length > 0)) state.isCurrent = false;
  }
  if (await exists(tx, "supabase_migrations.schema_migrations")) {
    state.isFilled = (await tx.query("select from supabase_migrations.schema_migrations limit 1")).length > 0;
  }
  if (await exists(tx, "auth.program_versions")) {
    const [last] = await tx.query<{ version: string }>("select version from auth.program_versions order by started_at desc limit 1");
    state.program = last?.version ?? null;
  }
  return state;
}

/** Applies the files of a set that are not applied yet, and returns their number. */
export async function applySet(tx: Transaction, set: MigrationSet, log: Logger): Promise<number> {
  await tx.script(set.prepare);
  const pending = await set.readPending(tx);
  for (const file of pending) {
    const started = performance.now();
    await applyFile(tx, file).catch((error: unknown) => {
      throw locateFailure(error, file.path, file.text);
    });
    await file.record(tx);
    log.info({ file: file.path, ms: Math.round(performance.now() - started) }, "applied");
  }
  return pending.length;
}

async function applyFile(tx: Transaction, { path, text }: SqlFile): Promise<void> {
  const before = await transactionId(tx);
  await tx.script(text);
  // The settings of a script must not affect later files, or users of the connection.
  await tx.script("reset all; reset role");
  await checkConstraints(tx);
  if ((await transactionId(tx)) === before) return;
  throw new MigrationError("it ends its transaction; leave out COMMIT and ROLLBACK", { file: path, code: "migration_ends_transaction" });
}

const DEFERRED = `select string_agg(format('%I.%I', nspname, conname), ', ') as names
  from pg_constraint join pg_namespace n on n.oid = connamespace where condeferred`;

/** Checks the deferred constraints: the error belongs to this file, and a later one may change their tables. */
async function checkConstraints(tx: Transaction): Promise<void> {
  await tx.script("set constraints all immediate");
  const [deferred] = await tx.query<{ names: string | null }>(DEFERRED);
  if (deferred?.names) await tx.script(`set constraints ${deferred.names} deferred`);
}

async function transactionId(tx: Transaction): Promise<unknown> {
  const [row] = await tx.query("select pg_current_xact_id()::text as id");
  return row?.id;
}

async function exists(tx: Transaction, table: string): Promise<boolean> {
  const [row] = await tx.query<{ exists: boolean }>("select to_regclass($1) is not null as exists", [table]);
  return row?.exists === true;
}
