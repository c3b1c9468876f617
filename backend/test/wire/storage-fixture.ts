import { mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import type { Logger } from "pino";
import type { Config } from "../../src/config/config.ts";
import type { Connection } from "../../src/connection.ts";
import { storageSchema } from "../../src/config/storage.ts";
import type { Database } from "../../src/db/database.ts";
import { createIdentify } from "../../src/identity.ts";
import { createJwtKeys, generateSigningKey, type JwtKeys } from "../../src/jwt/jwt.ts";
import type { ByteStore } from "../../src/storage/bytes/byte-store.ts";
import { openDiskBytes } from "../../src/storage/bytes/disk.ts";
import { createStorage, type Storage } from "../../src/storage/index.ts";
import { openRenditions } from "../../src/storage/renditions/renditions.ts";
import type { SweepMode } from "../../src/storage/sweep.ts";
import { type OpenDatabase, testLog } from "../database.ts";
import { TEMPORARY_FILES } from "../temporary-files.ts";

export const USER_ID = "11111111-1111-4111-8111-111111111111";
const OTHER_ID = "22222222-2222-4222-8222-222222222222";
export const PUBLISHABLE_KEY = "sb_publishable_storage_test_key";
const SECRET_KEY = "sb_secret_storage_test_key_value";
export const URL_BASE = "http://storage.test";

/** A `/storage/v1` on a fresh database with the fixture's buckets and policies, and its clients. */
export interface StorageFixture {
  database: Database;
  bytes: ByteStore;
  jwt: JwtKeys;
  storage: Storage;
  anon: SupabaseClient;
  staff: SupabaseClient;
  other: SupabaseClient;
  admin: SupabaseClient;
  staffToken: string;
  /** A request as curl would send it. */
  raw(path: string, init?: RequestInit, connection?: Connection): Promise<Response>;
  /** The names of the cached renditions. */
  renditions(): Promise<string[]>;
  /** The keys of all stored bytes, after pending deletions. */
  storedKeys(): Promise<string[]>;
  /** The object versions that rows refer to. */
  versions(): Promise<string[]>;
  /** Closes the API and its byte store, but not the database. */
  close(): Promise<void>;
}

interface StorageFixtureOptions {
  config?: Partial<Config["storage"]>;
  bytes?: ByteStore;
  sweepMode?: SweepMode;
  log?: Logger;
}

export async function openStorageFixture(open: OpenDatabase, options: StorageFixtureOptions = {}): Promise<StorageFixture> {
  const database = await open({ scripts: [await readFile(new URL("storage-fixture.sql", import.meta.url), "utf8")] });
  const directory = await mkdtemp(join(TEMPORARY_FILES, "larkfell-storage-test-"));
  const bytes = options.bytes ?? openDiskBytes(join(directory, "objects"));
  const renditions = await openRenditions({ directory: join(directory, "renditions"), log: testLog });
  const jwt = await createJwtKeys([await generateSigningKey()], "a-shared-secret-for-tests-of-32-bytes");
  const identify = createIdentify({ publishableKey: PUBLISHABLE_KEY, secretKey: SECRET_KEY }, jwt);
  const config = { storage: { ...storageSchema.parse({}), ...options.config } };
  const storage = await createStorage({
    database,
    bytes,
    renditions,
    jwt,
    identify,
    config,
    sweepMode: options.sweepMode,
    log: options.log ?? testLog,
  });
  async function close(): Promise<void> {
    await storage.close();
    await rm(directory, { recursive: true, force: true });
  }

  const tokenOf = (sub: string): Promise<string> => jwt.sign({ sub, role: "authenticated", exp: Math.floor(Date.now() / 1000) + 3600 });
  const fetch: typeof globalThis.fetch = (input, init) => storage.fetch(new Request(input, init));
  const client = (key: string, token?: string): SupabaseClient =>
    createClient(URL_BASE, key, {
      auth: { persistSession: false, autoRefreshToken: false },
      global: { fetch },
      ...(token === undefined ? {} : { accessToken: () => Promise.resolve(token) }),
    });
  const staffToken = await tokenOf(USER_ID);
  return {
    close,
    database,
    bytes,
    jwt,
    storage,
    anon: client(PUBLISHABLE_KEY),
    staff: client(PUBLISHABLE_KEY, staffToken),
    other: client(PUBLISHABLE_KEY, await tokenOf(OTHER_ID)),
    admin: client(SECRET_KEY),
    staffToken,
    raw: (path, init, connection) => storage.fetch(new Request(`${URL_BASE}/storage/v1${path}`, init), connection),
    renditions: () => Array.fromAsync(openDiskBytes(join(directory, "renditions")).keysBefore(new Date(Date.now() + 60_000))),
    async storedKeys() {
      // The sweep first completes pending deletions.
      await storage.sweep(new Date(0));
      const keys: string[] = [];
      for await (const key of bytes.keysBefore(new Date(Date.now() + 60_000))) keys.push(key);
      return keys.toSorted();
    },
    async versions() {
      const rows = await database.transaction((tx) => tx.query<{ version: string }>("select version from storage.objects"));
      return rows.map(({ version }) => version).toSorted();
    },
  };
}

/** The error of a response as a client sees it in the body. */
export async function refusal(answer: PromiseLike<{ error: unknown }>): Promise<Record<string, unknown>> {
  const { error } = await answer;
  if (!(error instanceof Error)) throw new Error("There was no error.");
  const fields = new Map(Object.entries(error));
  return { status: fields.get("status"), statusCode: fields.get("statusCode"), message: error.message, code: fields.get("code") };
}
