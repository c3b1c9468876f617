import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createClient, type Session, type SupabaseClient } from "@supabase/supabase-js";
import { type BackupBucket, checkArchive, openBackupBucket } from "backend/backup.ts";
import { createTestPostgres, prepareDataDirectory, testLog } from "backend/test/database.ts";
import { serveHttp } from "backend/test/http-server.ts";
import { startS3 } from "backend/test/s3-server.ts";
import { spawnEntry } from "backend/test/server-process.ts";
import { Secret, TOTP } from "otpauth";
import { backendEnvironment, readEnvironment } from "server/environment/environment.ts";
import { startBackend } from "server/start-backend.ts";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { backup } from "./commands/backup.ts";
import { move } from "./commands/move.ts";
import { nightly } from "./commands/nightly.ts";
import { rehearse } from "./commands/rehearse.ts";
import { restore } from "./commands/restore.ts";
import { status } from "./commands/status.ts";

const STAFF = { email: "jo@larkfell.example", password: "seven lanes to Penrith" };
const BYTES = Buffer.from(Array.from({ length: 700_000 }, (_, index) => (index * index) % 251));
const STEP_MS = 30_000;

describe.skipIf(inject("postgres") === null)("an installation", () => {
  const cleanup = new AsyncDisposableStack();
  let directory: string;
  let env: Record<string, string>;
  let bucket: BackupBucket;
  let session: Session;
  let secret: string;

  beforeAll(async () => {
    directory = cleanup.adopt(await mkdtemp(join(tmpdir(), "larkfell-operations-")), (path) => rm(path, { recursive: true, force: true }));
    const { endpoint, close } = await startS3("backups");
    cleanup.defer(close);
    env = {
      DATA_DIR: join(directory, "first"),
      STAFF_EMAIL: STAFF.email,
      STAFF_PASSWORD: STAFF.password,
      BACKUP_PASSPHRASE: "words of a passphrase",
      S3_ENDPOINT: endpoint,
      S3_ACCESS_KEY_ID: "S3RVER",
      S3_SECRET_ACCESS_KEY: "S3RVER",
    };
    await prepareDataDirectory(env["DATA_DIR"] ?? "");
    const account = { endpoint, region: "us-east-1", accessKeyId: "S3RVER", secretAccessKey: "S3RVER" };
    bucket = cleanup.adopt(await openBackupBucket("backups", account), (one) => one.close());
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await cleanup.disposeAsync();
  });

  /** The nightly backup of a day, which the first test makes. */
  const IN_BUCKET = "s3://backups/site/larkfell-2026-11-23.tar";

  /** Sets the environment of the commands and of the servers. */
  function use(variables: Record<string, string>): void {
    vi.unstubAllEnvs();
    for (const [name, value] of Object.entries({ ...env, ...variables })) vi.stubEnv(name, value);
  }

  async function serve(
    variables: Record<string, string> = {},
  ): Promise<{ client: () => SupabaseClient; service: SupabaseClient } & AsyncDisposable> {
    const backend = await startBackend(readEnvironment(backendEnvironment, { ...env, ...variables }), {
      url: "http://larkfell.example",
      log: testLog,
    });
    const server = await serveHttp((request) => backend.fetch(request));
    use({ ...variables, PORT: new URL(server.url).port });
    const dataDir = variables["DATA_DIR"] ?? env["DATA_DIR"] ?? "";
    const keys = JSON.parse(await readFile(join(dataDir, "secrets.json"), "utf8"));
    const client = (key: string): SupabaseClient =>
      createClient(server.url, key, { auth: { persistSession: false, autoRefreshToken: false } });
    return {
      client: () => client(keys.publishableKey),
      service: client(keys.secretKey),
      async [Symbol.asyncDispose]() {
        await server.close();
        await backend.close();
      },
    };
  }

  /** The code of the second factor; waits for the next step if this one is about to end, after which the code could be too old. */
  async function codeAt(offset: number): Promise<string> {
    const left = TOTP.remaining({ period: STEP_MS / 1000 });
    if (left < STEP_MS / 2) await delay(left + 50);
    return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + offset });
  }

  /** Signs in with password and second factor, continues the session and downloads the file. */
  async function expectWhole({ client }: { client: () => SupabaseClient }, offset: number): Promise<void> {
    const staff = client();
    expect((await staff.auth.signInWithPassword(STAFF)).error).toBeNull();
    const { data: factors } = await staff.auth.mfa.listFactors();
    const factorId = factors?.totp[0]?.id ?? "";
    expect((await staff.auth.mfa.challengeAndVerify({ factorId, code: await codeAt(offset) })).error).toBeNull();
    const file = await staff.storage.from("papers").download("list.bin");
    expect(Buffer.from((await file.data?.arrayBuffer()) ?? new ArrayBuffer())).toEqual(BYTES);
    const earlier = client();
    const refreshed = await earlier.auth.refreshSession({ refresh_token: session.refresh_token });
    expect(refreshed.error).toBeNull();
    if (refreshed.data.session) session = refreshed.data.session;
    expect((await earlier.from("bookings").select("id")).error).toBeNull();
  }

  /** Deletes a file during a snapshot and another after it: the bytes of the first must exist until then. */
  async function expectHeldBytes(service: SupabaseClient): Promise<void> {
    const { SECRET_KEY: secretKey, PUBLISHABLE_KEY: publishableKey, API_URL: url } = JSON.parse(await status());
    const call = (key: string, method: string, path = ""): Promise<Response> =>
      fetch(`${url}/operations/v1/snapshots${path}`, { method, headers: { apikey: key } });
    const kept = join(env["DATA_DIR"] ?? "", "storage/objects/kept");
    const countFiles = async (): Promise<number> => (await readdir(kept, { recursive: true })).filter((name) => name.length > 3).length;
    for (const name of ["one.txt", "two.txt"]) await service.storage.from("papers").upload(name, Buffer.from(name));
    expect((await call(publishableKey, "POST")).status).toBe(401);
    const copy = await call(secretKey, "POST");
    const { id, directory: path } = await copy.json();
    await service.storage.from("papers").remove(["one.txt"]);
    expect(await countFiles()).toBe(3);
    expect((await call(publishableKey, "DELETE", `/${id}`)).status).toBe(401);
    expect(existsSync(path)).toBe(true);
    expect((await call(secretKey, "DELETE", `/${id}`)).status).toBe(204);
    expect(existsSync(path)).toBe(false);
    await service.storage.from("papers").remove(["two.txt"]);
    await expect.poll(countFiles).toBe(1);
  }

  test("is backed up while it serves, and restored on a PostgreSQL server and moved back with equal sums and all sign-ins", async () => {
    const [first, second] = ["first.tar", "second.tar"].map((name) => join(directory, name));
    const back = { into: join(directory, "third") };
    {
      await using site = await serve({ START_FRESH: "secrets" });
      const staff = site.client();
      expect((await staff.auth.signInWithPassword(STAFF)).error).toBeNull();
      const enrolled = await staff.auth.mfa.enroll({ factorType: "totp" });
      if (enrolled.data?.type !== "totp") throw new Error("no factor");
      secret = enrolled.data.totp.secret;
      const proved = await staff.auth.mfa.challengeAndVerify({ factorId: enrolled.data.id, code: await codeAt(-STEP_MS) });
      expect(proved.error).toBeNull();
      session = (await staff.auth.getSession()).data.session ?? expect.unreachable();
      await site.service.storage.createBucket("papers", { public: true });
      expect((await site.service.storage.from("papers").upload("list.bin", BYTES)).error).toBeNull();

      let isDone = false;
      let written = 0;
      const writing = (async () => {
        while (!isDone) {
          const { error } = await staff
            .from("course_dates")
            .insert({ course_name: "Manual Handling", course_date: "2030-01-07T09:00:00Z", capacity: 4 });
          expect(error).toBeNull();
          written += 1;
        }
      })();
      await expect.poll(() => written).toBeGreaterThan(3);
      await backup(first ?? "", { secrets: true });
      isDone = true;
      await writing;
      expect(await readdir(join(env["DATA_DIR"] ?? "", "snapshots"))).toEqual([]);
      const manifest = await checkArchive(first ?? "");
      const saved = manifest.tables.find(({ name }) => name === "course_dates")?.rows ?? 0;
      expect(saved).toBeGreaterThan(3);
      expect(saved).toBeLessThan(written + 19);
      expect(manifest.objects).toEqual({ count: 1, bytes: BYTES.length, missing: [] });
      await expectHeldBytes(site.service);
    }

    const postgres = await createTestPostgres({ platform: false });
    cleanup.defer(postgres.remove);
    const onServer = { DATA_DIR: join(directory, "second"), DATABASE_URL: postgres.url };
    use(onServer);
    expect(await restore(first ?? "", { into: postgres.url, secrets: true })).toContain("restored");
    await backup(IN_BUCKET, { secrets: true });
    await bucket.download("site/larkfell-2026-11-23.tar", second ?? "");
    expect((await checkArchive(second ?? "")).tables).toEqual((await checkArchive(first ?? "")).tables);
    await expect(restore(first ?? "", { into: postgres.url, secrets: true })).rejects.toThrow("is not empty");
    {
      await using site = await serve(onServer);
      await expectWhole(site, 0);
      await expect(move(back)).rejects.toThrow("Stop the server first");
    }

    use(onServer);
    expect(await move(back)).toContain("moved");
    await expect(move(back)).rejects.toThrow("is not empty");
    expect(existsSync(`${back.into}.moving`)).toBe(false);
    {
      await using site = await serve({ DATA_DIR: back.into });
      await expectWhole(site, STEP_MS);
    }
    // It syncs thousands of files, which takes long on a busy machine.
  }, 900_000);

  test("needs the passphrase of its backup, and is restored without secrets on request only", async () => {
    const file = join(directory, "first.tar");
    const into = join(directory, "fourth");
    use({ BACKUP_PASSPHRASE: "another passphrase" });
    await expect(restore(file, { into, secrets: true })).rejects.toMatchObject({ code: "passphrase" });
    use({ BACKUP_PASSPHRASE: "" });
    await expect(restore(file, { into, secrets: true })).rejects.toThrow("Set BACKUP_PASSPHRASE");
    await expect(backup(join(directory, "none.tar"), { secrets: true })).rejects.toThrow("Set BACKUP_PASSPHRASE");
    await backup(join(directory, "without.tar"), { secrets: false });
    expect((await checkArchive(join(directory, "without.tar"))).secrets).toBe(false);
    expect(existsSync(into)).toBe(false);
    const { secretKey } = JSON.parse(await readFile(join(env["DATA_DIR"] ?? "", "secrets.json"), "utf8"));
    expect((await readFile(file)).includes(secretKey)).toBe(false);
  });

  test("is restored after a restore was killed, which left nothing in the new place", async () => {
    const file = join(directory, "first.tar");
    const into = join(directory, "fifth");
    const postgres = await createTestPostgres({ platform: false });
    cleanup.defer(postgres.remove);
    const places = { [join(directory, "embedded")]: join(directory, "embedded"), [postgres.url]: into };
    for (const [place, dataDir] of Object.entries(places)) {
      const child = spawnEntry("operations/larkfell.ts", { ...env, DATA_DIR: dataDir }, [], ["restore", file, "--into", place]);
      await expect.poll(() => existsSync(join(`${dataDir}.unfinished`, "secrets.json")), { interval: 10, timeout: 200_000 }).toBe(true);
      child.kill("SIGKILL");
      await once(child, "close");
      expect(existsSync(dataDir)).toBe(false);
    }
    use({ DATA_DIR: into, DATABASE_URL: postgres.url });
    await restore(file, { into: postgres.url, secrets: true });
    expect(existsSync(`${into}.unfinished`)).toBe(false);
    expect(existsSync(join(into, "secrets.json"))).toBe(true);
  });

  test("has a nightly backup, which is rehearsed in a temporary directory before expired ones are removed", async () => {
    use({ DATA_DIR: join(directory, "third") });
    const tonight = { day: "2026-11-23", secrets: true };
    await expect(nightly(tonight)).rejects.toThrow("Set BACKUP_DIR");
    const [temporary, folder] = [join(directory, "temporary"), join(directory, "backups")];
    for (const path of [temporary, folder]) await mkdir(path);
    vi.stubEnv("TMPDIR", temporary);
    vi.stubEnv("BACKUP_DIR", folder);
    const earlier = Array.from({ length: 8 }, (_, index) => `larkfell-2026-01-0${index + 1}.tar`);
    for (const name of earlier) await writeFile(join(folder, name), "");
    const { rows, text } = await nightly(tonight);
    expect(rows).toBeGreaterThan(0);
    expect(text).toMatch(/: checked, \d+ rows of \d+ tables, 1 file \(0\.7 MB\), with secrets\./);
    expect(await readdir(temporary)).toEqual([]);
    // The two oldest are of one week.
    expect(await readdir(folder)).toEqual(expect.arrayContaining(earlier.slice(1)));
    expect(await readdir(folder)).toHaveLength(8);
    // A second backup of this day is not made, so its damage is found, and nothing is removed.
    await writeFile(join(folder, "larkfell-2026-11-23.tar"), "damaged");
    await writeFile(join(folder, "larkfell-2025-01-01.tar"), "");
    await expect(nightly(tonight)).rejects.toThrow("is damaged");
    expect(await readdir(folder)).toHaveLength(9);
  });

  test("has its nightly backups in a bucket, where expired ones are removed", async () => {
    const temporary = await mkdtemp(join(directory, "temporary-"));
    use({ DATA_DIR: join(directory, "third"), BACKUP_DIR: "s3://backups/site/", TMPDIR: temporary });
    const other = join(directory, "other.tar");
    await writeFile(other, "not a backup");
    const earlier = Array.from({ length: 8 }, (_, index) => `larkfell-2026-01-0${index + 1}.tar`);
    for (const name of ["another.tar", ...earlier]) await bucket.upload(`site/${name}`, other);
    await bucket.upload("larkfell-2025-01-01.tar", other);
    const tonight = { day: "2026-11-23", secrets: true };
    expect((await nightly(tonight)).text).toMatch(
      /^s3:\/\/backups\/site\/larkfell-2026-11-23\.tar: checked, .* with secrets\.\ns3:.*01-01\.tar: removed$/,
    );
    const left = (await bucket.list("")).map(({ name }) => name).toSorted();
    expect(left).toEqual([
      "larkfell-2025-01-01.tar",
      ...["another.tar", ...earlier.slice(1), "larkfell-2026-11-23.tar"].map((name) => `site/${name}`),
    ]);
    await expect(backup(IN_BUCKET, { secrets: true })).rejects.toMatchObject({ code: "exists" });
    const damaged = "s3://backups/site/another.tar";
    const into = join(directory, "from-bucket");
    await expect(restore(damaged, { into, secrets: true })).rejects.toThrow(`${damaged} is damaged`);
    await expect(rehearse("s3://backups/none.tar")).rejects.toThrow("s3://backups/none.tar cannot be used: NoSuchKey.");
    await expect(backup("s3://backups", { secrets: true })).rejects.toThrow("has no name");
    expect(await readdir(temporary)).toEqual([]);
    use({ S3_ACCESS_KEY_ID: "", S3_SECRET_ACCESS_KEY: "" });
    await expect(rehearse(IN_BUCKET)).rejects.toThrow("Set S3_ACCESS_KEY_ID");
  });

  test("is not restored from a damaged file", async () => {
    const bytes = await readFile(join(directory, "first.tar"));
    const position = bytes.toString("latin1").search(/objects\/[0-9a-f-]{36}\0/) + 70_000;
    bytes.writeUInt8(bytes.readUInt8(position) ^ 1, position);
    const file = join(directory, "damaged.tar");
    await writeFile(file, bytes);
    const into = join(directory, "sixth");
    const damage = /is damaged: the sum of objects\/[0-9a-f-]{36} is wrong/;
    await expect(restore(file, { into, secrets: true })).rejects.toThrow(damage);
    await expect(rehearse(file)).rejects.toThrow(damage);
    expect(existsSync(into)).toBe(false);
  });
});
