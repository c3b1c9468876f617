import { randomUUID } from "node:crypto";
import { cpSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import pino from "pino";
import { afterAll, describe, inject } from "vitest";
import type { Database } from "../src/db/database.ts";
import type { ExtensionName } from "../src/db/pglite/extensions.ts";
import { openPglite } from "../src/db/pglite/pglite.ts";
import { openPostgres } from "../src/db/postgres/postgres.ts";
import { pgliteModule } from "./pglite-module.ts";
import { createPostgresDatabase, dropPostgresDatabase } from "./postgres/databases.ts";
import type { PostgresInstallation } from "./postgres/installation.ts";
import { type PostgresServer, type PostgresServerOptions, startPostgresServer } from "./postgres/server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Images of the embedded database: empty, with the platform's migrations, and the latter as a directory. */
    pgliteImages: { empty: string; platform: string; platformFiles: string };
    /** The PostgreSQL server of the tests, its database with the platform's migrations, and its installation; null if none runs. */
    postgres: { url: string; template: string; installation: PostgresInstallation } | null;
    /** The database of a test project: migrated, without the seed. */
    projectDatabase: PreparedDatabase;
    /** The database of a product after its first start, without an account; on the test server only. */
    seededDatabase: Pick<PreparedDatabase, "template">;
    /** The directory of all files that are uploaded to test projects, removed after the run. */
    projectUploads: string;
  }
}

export const testLog = pino({ level: "silent" });

/** A database that a global setup has prepared for both drivers. */
export interface PreparedDatabase {
  /** An image of the embedded database. */
  image: string;
  /** The embedded database as a directory. */
  files: string;
  /** The name of a database on the test server. */
  template: string;
}

interface OpenOptions {
  /** False for a database without the platform's migrations. */
  platform?: boolean;
  /** The database to copy instead of the platform's. */
  prepared?: PreparedDatabase;
  /** Extensions to load into PGlite; a server has all of them. */
  extensions?: readonly ExtensionName[];
  /** Transactions of a database on the server that can be open at once; PGlite has one. */
  poolSize?: number;
  /** SQL to run on the fresh database, in one transaction per script. */
  scripts?: readonly string[];
}

/** Opens a fresh database; it is closed and removed when its suite ends. */
export type OpenDatabase = (options?: OpenOptions) => Promise<Database>;

/** Describes a suite once per driver; without a PostgreSQL server, its suite is skipped and counted as skipped. */
export function describeDatabases(name: string, suite: (open: OpenDatabase, kind: Database["kind"]) => void): void {
  describe(`${name} on PGlite`, () => {
    suite(freshDatabases(openTestPglite), "pglite");
  });
  describe.skipIf(inject("postgres") === null)(`${name} on Postgres`, () => {
    suite(freshDatabases(openTestPostgres), "postgres");
  });
}

/** Opens a fresh embedded database in memory. */
export async function openTestPglite({ platform = true, prepared, extensions = [] }: OpenOptions = {}): Promise<Database> {
  const images = inject("pgliteImages");
  const image = prepared?.image ?? (platform ? images.platform : images.empty);
  return openPglite({ image: await readShared(image), module: await pgliteModule(), extensions, log: testLog });
}

const shared = new Map<string, Promise<Uint8Array>>();

/** Reads a file once per process, into memory that threads share instead of copying it. */
async function readShared(file: string): Promise<Uint8Array> {
  const read = async (): Promise<Uint8Array> => {
    const content = await readFile(file);
    const bytes = new Uint8Array(new SharedArrayBuffer(content.length));
    bytes.set(content);
    return bytes;
  };
  const known = shared.get(file) ?? read();
  shared.set(file, known);
  return known;
}

/**
 * Fills `DATA_DIR/database` with the platform's migrations or a prepared database, which is faster than to create it. A server that
 * finds it without `secrets.json` needs `START_FRESH=secrets`.
 */
export function prepareDataDirectory(dataDir: string, prepared?: Pick<PreparedDatabase, "files">): void {
  // With hundreds of files this takes a sixth of the processor time of the asynchronous copy.
  cpSync(prepared?.files ?? inject("pgliteImages").platformFiles, join(dataDir, "database"), { recursive: true });
}

/** Opens a fresh database on the test server; closing it removes it. */
export async function openTestPostgres(options: OpenOptions = {}): Promise<Database> {
  const { url, remove } = await createTestPostgres(options);
  const database = await openPostgres({ url, poolSize: options.poolSize ?? 4, log: testLog });
  let closed: Promise<void> | undefined;
  return { ...database, close: () => (closed ??= database.close().then(remove)) };
}

/** Creates a fresh database on the test server without opening it. */
export async function createTestPostgres({
  platform = true,
  prepared,
}: { platform?: boolean; prepared?: Pick<PreparedDatabase, "template"> | undefined } = {}): Promise<{
  url: string;
  remove: () => Promise<void>;
}> {
  const server = inject("postgres");
  if (!server) throw new Error("This test needs a PostgreSQL server; skip it where there is none.");
  const name = `test_${randomUUID()}`;
  const url = await createPostgresDatabase(server.url, name, prepared?.template ?? (platform ? server.template : undefined));
  return { url, remove: () => dropPostgresDatabase(server.url, name) };
}

/** Starts another PostgreSQL server, for a suite that changes roles, which belong to a whole server, or ends the server. */
export async function startOwnPostgres(options: PostgresServerOptions = {}): Promise<PostgresServer> {
  const server = inject("postgres");
  const started = server && (await startPostgresServer({ installation: server.installation, ...options }));
  if (!started) throw new Error("This test needs a PostgreSQL server; skip it where there is none.");
  return started;
}

function freshDatabases(openOne: OpenDatabase): OpenDatabase {
  const opened: Database[] = [];
  afterAll(async () => {
    await Promise.all(opened.splice(0).map((database) => database.close()));
  });
  return async function open(options = {}) {
    const database = await openOne(options);
    opened.push(database);
    for (const script of options.scripts ?? []) await database.transaction((tx) => tx.script(script));
    return database;
  };
}
