import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Database } from "backend";
import type { BackendEnvironment } from "../environment/environment.ts";
import { StartError } from "../start-error.ts";

type Parts = Pick<BackendEnvironment, "DATA_DIR" | "DATABASE_URL" | "START_FRESH">;

/**
 * Checks that no part of the data directory is missing beside the others, so that a lost file or an unmounted volume does not
 * become an empty installation. Fails with a `StartError`.
 */
export function checkDataDirectory(env: Parts): void {
  if (env.DATABASE_URL !== undefined) return;
  const database = join(env.DATA_DIR, "database");
  const hasDatabase = existsSync(join(database, "cluster"));
  if (hasDatabase && isMissingSecrets(env)) throw missingSecrets(env.DATA_DIR, database);
  if (hasDatabase || env.START_FRESH === "database" || !hasStoredFiles(env.DATA_DIR)) return;
  throw new StartError(
    `${database} is missing, but ${env.DATA_DIR} has uploaded files: mount or restore it, or set DATABASE_URL if the data are on a ` +
      "PostgreSQL server. To start with an empty database, start once with START_FRESH=database.",
  );
}

const NOTICE = `This directory contains the database, the uploaded files and the secrets of the website.

Do not copy it while the server runs: the copy would be damaged. Make a backup instead: larkfell backup <file>
In a checkout: npm run larkfell -- backup <file>
`;

/** Leaves a notice in the data directory for people who want to copy it. */
export function writeNotice(dataDir: string): void {
  try {
    writeFileSync(join(dataDir, "README.txt"), NOTICE, { flag: "wx" });
  } catch {
    // It exists, or the disk is full, which must not stop the start.
  }
}

/** Checks that `secrets.json` is not missing beside the accounts of a PostgreSQL server. Fails with a `StartError`. */
export async function checkSecretsOf(database: Database, env: Parts): Promise<void> {
  if (!isMissingSecrets(env)) return;
  const hasAccounts = await database.transaction(
    async (tx) => {
      const [auth] = await tx.query<{ exists: boolean }>("select to_regclass('auth.users') is not null as exists");
      if (!auth?.exists) return false;
      return (await tx.query("select from auth.users limit 1")).length > 0;
    },
    { readOnly: true },
  );
  if (hasAccounts) throw missingSecrets(env.DATA_DIR, "the database of DATABASE_URL");
}

function isMissingSecrets({ DATA_DIR, START_FRESH }: Parts): boolean {
  return START_FRESH !== "secrets" && !existsSync(join(DATA_DIR, "secrets.json"));
}

function missingSecrets(dataDir: string, database: string): StartError {
  return new StartError(
    `${join(dataDir, "secrets.json")} is missing, but ${database} has data: restore the file from a backup. To create new secrets, ` +
      "which replace the API keys and end access tokens, signed links and mailed links and codes, start once with START_FRESH=secrets.",
  );
}

function hasStoredFiles(dataDir: string): boolean {
  const objects = join(dataDir, "storage/objects");
  if (existsSync(join(objects, "database-id"))) return true;
  const kept = join(objects, "kept");
  return existsSync(kept) && readdirSync(kept).length > 0;
}
