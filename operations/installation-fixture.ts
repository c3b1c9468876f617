import { mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { type BackupBucket, openBackupBucket } from "backend/backup.ts";
import { prepareDataDirectory, testLog } from "backend/test/database.ts";
import { serveHttp } from "backend/test/http-server.ts";
import { startS3 } from "backend/test/s3-server.ts";
import { TEMPORARY_FILES } from "backend/test/temporary-files.ts";
import { backendEnvironment, readEnvironment } from "server/environment/environment.ts";
import { startBackend } from "server/start-backend.ts";
import { inject, vi } from "vitest";

/** The account that the first start of an installation creates. */
export const STAFF = { email: "jo@larkfell.example", password: "seven lanes to Penrith" };

/** A running server with its clients. */
export interface Site extends AsyncDisposable {
  url: string;
  client: () => SupabaseClient;
  service: SupabaseClient;
}

/** An installation for tests of commands: its data directory is in `directory`, and its S3 service has the buckets `backups`, `files` and `restored`. */
export interface Installation extends AsyncDisposable {
  directory: string;
  /** The environment of its commands and servers. */
  env: Readonly<Record<string, string>>;
  backups: BackupBucket;
  files: BackupBucket;
  /** Sets the environment of the commands. */
  use(variables: Record<string, string>): void;
  /** Starts the server; the commands then use its environment. */
  serve(variables?: Record<string, string>): Promise<Site>;
}

/** Prepares an installation that was not started yet. */
export async function prepareInstallation(): Promise<Installation> {
  const cleanup = new AsyncDisposableStack();
  const directory = cleanup.adopt(await mkdtemp(join(TEMPORARY_FILES, "larkfell-operations-")), (path) =>
    rm(path, { recursive: true, force: true }),
  );
  const { endpoint, close } = await startS3("backups", "files", "restored");
  cleanup.defer(close);
  const account = { endpoint, region: "us-east-1", accessKeyId: "S3RVER", secretAccessKey: "S3RVER" };
  const first = join(directory, "first");
  const env = {
    DATA_DIR: first,
    STAFF_EMAIL: STAFF.email,
    STAFF_PASSWORD: STAFF.password,
    BACKUP_PASSPHRASE: "words of a passphrase",
    TMPDIR: directory,
    S3_ENDPOINT: endpoint,
    S3_ACCESS_KEY_ID: account.accessKeyId,
    S3_SECRET_ACCESS_KEY: account.secretAccessKey,
  };
  prepareDataDirectory(first, inject("projectDatabase"));
  cleanup.defer(() => void vi.unstubAllEnvs());

  function use(variables: Record<string, string>): void {
    vi.unstubAllEnvs();
    for (const [name, value] of Object.entries({ ...env, ...variables })) vi.stubEnv(name, value);
  }

  async function serve(variables: Record<string, string> = {}): Promise<Site> {
    const backend = await startBackend(readEnvironment(backendEnvironment, { ...env, ...variables }), {
      url: "http://larkfell.example",
      log: testLog,
    });
    const server = await serveHttp((request) => backend.fetch(request));
    use({ ...variables, PORT: new URL(server.url).port });
    const dataDir = variables["DATA_DIR"] ?? env.DATA_DIR;
    const keys = JSON.parse(await readFile(join(dataDir, "secrets.json"), "utf8"));
    const client = (key: string): SupabaseClient =>
      createClient(server.url, key, { auth: { persistSession: false, autoRefreshToken: false } });
    return {
      url: server.url,
      client: () => client(keys.publishableKey),
      service: client(keys.secretKey),
      async [Symbol.asyncDispose]() {
        await server.close();
        await backend.close();
      },
    };
  }

  return {
    ...{ directory, env, use, serve },
    backups: cleanup.adopt(await openBackupBucket("backups", account), (bucket) => bucket.close()),
    files: cleanup.adopt(await openBackupBucket("files", account), (bucket) => bucket.close()),
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  };
}
