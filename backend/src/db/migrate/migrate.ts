import type { Logger } from "pino";
import type { DatabaseConfig } from "../../config/config.ts";
import { applySet, readState, type State } from "./apply-migrations.ts";
import { type Database, DatabaseError, type Transaction } from "../database.ts";
import { keepCopy, type UpgradeCopy } from "./keep-copy.ts";
import { MigrationError } from "./migration-error.ts";
import { type MigrationSet, platformSet, projectSet, seedSet } from "./migration-sets.ts";
import { checkPrivileges, ensureRoles, ensureServicePolicies } from "../roles.ts";
import { selfTest } from "./self-test.ts";
import * as SQLSTATE from "../../sqlstates.ts";
import { UpgradeError } from "./upgrade-error.ts";

export interface MigrateOptions {
  supabaseDir: string;
  config: DatabaseConfig;
  /** The version of the program. */
  program?: string | undefined;
  /** The copy that an upgrade makes first; without one it makes none. */
  copy?: UpgradeCopy | undefined;
  log: Logger;
}

// An advisory lock: one process at a time migrates a database.
const LOCK = 4_207_849_484_211;

/** The migrations that a database has, by their versions. */
interface MigrationVersions {
  platform: readonly string[];
  project: readonly string[];
}

/**
 * Applies exactly these migrations to an empty database, without seeds, so that the rows of a database that had them fit. Fails with
 * a `MigrationError` of the code `migration_unknown` if this version of the program does not have one of them.
 */
export async function migrateTo(
  database: Database,
  { platform, project }: MigrationVersions,
  { supabaseDir, log }: Pick<MigrateOptions, "supabaseDir" | "log">,
): Promise<void> {
  await ensureRoles(database);
  await applyAll(database, [await platformSet(platform), await projectSet(supabaseDir, project)], log);
}

/** Ensures the roles and applies the platform's migrations: the schemas and functions a hosted project has from the start. */
export async function migratePlatform(database: Database, log: Logger): Promise<void> {
  await ensureRoles(database);
  await applyAll(database, [await platformSet()], log);
  await ensureServicePolicies(database);
  await checkPrivileges(database);
}

/**
 * Brings a database up to date: the platform's migrations, then the project's, then new seeds, as the connection's role. All of them are
 * applied in one transaction, or none (decision 046). Fails with a `MigrationError`, or with an `UpgradeError` if the database is in use
 * by an installation.
 */
export async function migrate(database: Database, options: MigrateOptions): Promise<void> {
  const { supabaseDir, config, program, log } = options;
  await ensureRoles(database);
  const sets = [await platformSet(), await projectSet(supabaseDir)];
  if (config.db.seed.enabled) sets.push(await seedSet(supabaseDir, config.db.seed.sql_paths));
  const state = await database.transaction((tx) => readState(tx, sets), { readOnly: true });
  refuseNewer(state, program);
  if (state.isCurrent) await checkPrivileges(database);
  else if (state.isFilled) await upgrade(database, sets, state, options);
  else await applyAll(database, sets, log);
  await ensureServicePolicies(database);
  if (program !== undefined && program !== state.program) await database.transaction((tx) => tx.query(RECORD_PROGRAM, [program]));
}

const RECORD_PROGRAM = `insert into auth.program_versions (version) values ($1)
  on conflict (version) do update set started_at = now()`;

async function upgrade(
  database: Database,
  sets: readonly MigrationSet[],
  state: State,
  { program, copy, log }: MigrateOptions,
): Promise<void> {
  const earlier = state.program === null || state.program === program ? "the version that ran before" : `version ${state.program}`;
  const name = program === undefined ? "The upgrade" : `The upgrade to version ${program}`;
  async function makeCopy(): Promise<void> {
    if (copy === undefined) return;
    await keepCopy(copy).catch((error: unknown) => {
      if (!(error instanceof Error)) throw error;
      const isFull = "code" in error && DISK_FULL.has(error.code);
      const reason = isFull ? `${error.message} Free some space, or run` : `The copy of the database failed: ${error.message}. Run`;
      throw new UpgradeError(isFull ? "upgrade_no_space" : "upgrade_no_copy", `${name} was not begun: ${reason} ${earlier} again.`, error);
    });
    log.info({ copy: copy.directory }, "the database is copied before its upgrade");
  }
  // The embedded database has one session.
  const isEmbedded = database.kind === "pglite";
  if (isEmbedded) await makeCopy();
  try {
    await applyAll(database, sets, log, { beforeFirst: isEmbedded ? undefined : makeCopy, beforeCommit: selfTest });
  } catch (error) {
    if (!(error instanceof Error) || error instanceof UpgradeError || isUncertain(error)) throw error;
    const reason = error.message.replaceAll(/\s+/g, " ");
    const message = `${name} failed and was undone: all data are as before. Run ${earlier} again. The reason: ${reason}`;
    throw new UpgradeError("upgrade_failed", message, error);
  }
}

/** The codes of a full disk: of the embedded database, and of the system. */
const DISK_FULL: ReadonlySet<unknown> = new Set([SQLSTATE.diskFull, "ENOSPC", "EDQUOT"]);

/** True if the upgrade may not have been undone as a whole: after a lost connection, or after a COMMIT in a file. */
function isUncertain(error: Error): boolean {
  if (error instanceof MigrationError) return error.code === "migration_ends_transaction";
  return error instanceof DatabaseError && error.isOutage;
}

interface Hooks {
  /** Called before the first file, while no other process migrates. */
  beforeFirst?: (() => Promise<void>) | undefined;
  beforeCommit?: (tx: Transaction) => Promise<void>;
}

/** Applies all files of the sets that are not applied yet in one transaction, and announces the new schema. */
async function applyAll(
  database: Database,
  sets: readonly MigrationSet[],
  log: Logger,
  { beforeFirst, beforeCommit }: Hooks = {},
): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query("select pg_advisory_xact_lock($1)", [LOCK]);
    if (beforeFirst && !(await readState(tx, sets)).isCurrent) await beforeFirst();
    let applied = 0;
    for (const set of sets) applied += await applySet(tx, set, log);
    if (applied === 0) return;
    await beforeCommit?.(tx);
    await tx.query("select auth.announce('pgrst', 'reload schema')");
  });
}

function refuseNewer({ unknown, program: newest }: State, program: string | undefined): void {
  if (unknown.length === 0) return;
  const by = newest === null || newest === program ? "a newer version" : `version ${newest}`;
  const here = program === undefined ? "this version" : `this version, ${program},`;
  const message = `The database was changed by ${by} of the program, and ${here} does not have its migrations ${unknown.join(", ")}: run the newer version, or restore a backup that is older than its upgrade.`;
  throw new UpgradeError("upgrade_newer", message);
}
