import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type Database, DataDirectoryError, openDatabase } from "backend";
import { BackupError, holdBytes, releaseBytes } from "backend/backup.ts";
import type { Logger } from "pino";
import { backendEnvironment, type BackendEnvironment, readEnvironment } from "server/environment/environment.ts";
import { siteEnvironment } from "server/environment/site-environment.ts";
import { StartError } from "server/start-error.ts";
import { z } from "zod";
import { callServer, serverAddress } from "./running-server.ts";

/** The environment of an installation whose data are here. Fails with a `StartError` if they are in another project. */
export function localEnvironment(): BackendEnvironment {
  const { SUPABASE_URL } = readEnvironment(siteEnvironment, process.env);
  if (SUPABASE_URL !== undefined) throw new StartError("The data are in the project of SUPABASE_URL: use its own backups.");
  return readEnvironment(backendEnvironment, process.env);
}

/** A database that a backup reads; closing it ends the backup. */
interface Source {
  database: Database;
  close(): Promise<void>;
}

/** Opens the database of an installation for a backup, whether its server runs or not. Fails with a `StartError` or a `BackupError`. */
export async function openSource(env: BackendEnvironment, log: Logger): Promise<Source> {
  const { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, SUPABASE_DIR: supabaseDir } = env;
  if (databaseUrl !== undefined) return openOnServer(await openDatabase({ dataDir, databaseUrl, poolSize: 2, log }));
  try {
    const database = await openEmbedded(env, log);
    return { database, close: () => database.close() };
  } catch (error) {
    if (!isLocked(error)) throw error;
    return openCopy(supabaseDir, log);
  }
}

/** Opens the database of an installation whose server is stopped. Fails with a `StartError` if it is in use. */
export async function openStopped(env: BackendEnvironment, log: Logger): Promise<Database> {
  const { DATA_DIR: dataDir, DATABASE_URL: databaseUrl } = env;
  if (databaseUrl === undefined) {
    return openEmbedded(env, log).catch((error: unknown) => {
      throw isLocked(error) ? inUse() : error;
    });
  }
  const database = await openDatabase({ dataDir, databaseUrl, poolSize: 1, log });
  const [others] = await database.transaction((tx) => tx.query<{ exist: boolean }>(OTHERS), { readOnly: true });
  if (!others?.exist) return database;
  await database.close();
  throw inUse();
}

// A server has at least the connection that listens.
const OTHERS = `select exists (select from pg_stat_activity where datname = current_database() and backend_type = 'client backend'
  and pid <> pg_backend_pid()) as exist`;

async function openEmbedded({ DATA_DIR: dataDir, SUPABASE_DIR: supabaseDir }: BackendEnvironment, log: Logger): Promise<Database> {
  if (!existsSync(join(dataDir, "database"))) throw new StartError(`${resolve(dataDir)} has no database. Set DATA_DIR or DATABASE_URL.`);
  return openDatabase({ dataDir, databaseUrl: undefined, supabaseDir, log });
}

function isLocked(error: unknown): boolean {
  return error instanceof DataDirectoryError && error.code === "data_directory_locked";
}

function inUse(): StartError {
  return new StartError("The database is in use. Stop the server first: what it saves later would not be moved.");
}

async function openOnServer(database: Database): Promise<Source> {
  try {
    const held = await holdBytes(database);
    return {
      database,
      async close() {
        if (held !== null) await releaseBytes(database, held);
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

const begunSchema = z.object({ id: z.string() });
const copySchema = begunSchema.extend({ directory: z.string() });

/** Requests from the running server a copy of its embedded database, which no other process can read. */
async function openCopy(supabaseDir: string, log: Logger): Promise<Source> {
  const url = `${serverAddress()}/operations/v1/snapshots`;
  let response = await callServer(url, "POST");
  // A copy takes longer than the time limit of a request.
  while (response.status === 202) response = await callServer(`${url}/${begunSchema.parse(await response.json()).id}`, "GET");
  if (response.status === 507)
    throw new BackupError("disk_full", "The disk has no space for a copy of the database, which a backup needs.");
  if (response.status !== 201) throw new StartError(`The server at ${serverAddress()} refused to copy its database (${response.status}).`);
  const { id, directory } = copySchema.parse(await response.json());
  async function remove(): Promise<void> {
    // The server may have stopped meanwhile.
    await callServer(`${url}/${id}`, "DELETE").catch(() => rm(directory, { recursive: true, force: true }));
  }
  try {
    const database = await openDatabase({ dataDir: directory, databaseUrl: undefined, supabaseDir, log });
    return {
      database,
      async close() {
        await database.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
