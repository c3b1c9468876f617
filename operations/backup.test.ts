import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Session, SupabaseClient } from "@supabase/supabase-js";
import { checkArchive, type OnProgress, type Step } from "backend/backup.ts";
import { openDatabase } from "backend";
import { createTestPostgres, testLog } from "backend/test/database.ts";
import { collectOutput, spawnEntry } from "backend/test/server-process.ts";
import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { backup } from "./commands/backup.ts";
import { move } from "./commands/move.ts";
import { rehearse } from "./commands/rehearse.ts";
import { restore } from "./commands/restore.ts";
import { status } from "./commands/status.ts";
import { type Installation, prepareInstallation, type Site, STAFF } from "./installation-fixture.ts";
import { countRows } from "./summary.ts";

const BYTES = Buffer.from(Array.from({ length: 700_000 }, (_, index) => (index * index) % 251));
const STEP_MS = 30_000;
/** The program of util-linux that runs a command on a terminal. */
const hasScript = spawnSync("script", ["--version"]).stdout?.includes("util-linux") ?? false;

describe.skipIf(inject("postgres") === null)("an installation", () => {
  const cleanup = new AsyncDisposableStack();
  let installation: Installation;
  let directory: string;
  let signedIn: Session;
  let signedPath: string;
  let secret: string;

  beforeAll(async () => {
    installation = cleanup.use(await prepareInstallation());
    directory = installation.directory;
    await setClockBack(installation.env["DATA_DIR"] ?? "");
  });
  afterAll(() => cleanup.disposeAsync());

  /** Sets the clock of the first database back, so that a letter that it queues for later is due at the time of the restore. */
  async function setClockBack(dataDir: string): Promise<void> {
    const database = await openDatabase({ dataDir, databaseUrl: undefined, supabaseDir: "supabase", log: testLog });
    await database.transaction((tx) =>
      tx.script(`create or replace function private.now() returns timestamptz language sql stable parallel safe
        as $$ select now() - interval '20 minutes' $$`),
    );
    await database.close();
  }

  /** Records how far each step has come; the number done never exceeds the total. */
  function recordProgress(): { steps: Map<Step, [number, number]>; onProgress: OnProgress } {
    const steps = new Map<Step, [number, number]>();
    function onProgress(step: Step, done: number, total: number): void {
      expect(done).toBeLessThanOrEqual(total);
      steps.set(step, [done, total]);
    }
    return { steps, onProgress };
  }

  /** The code of the second factor, or the one before or after it; waits for the next step if the code before would soon be too old. */
  async function codeAt(offset: number): Promise<string> {
    const left = TOTP.remaining({ period: STEP_MS / 1000 });
    if (offset < 0 && left < STEP_MS / 2) await delay(left + 50);
    return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + offset });
  }

  /** Signs in with password and second factor, downloads the file as staff and by an earlier signed link, and continues a session. */
  async function expectWhole({ url, client }: Site, session: Session, offset: number): Promise<Session> {
    const staff = client();
    expect((await staff.auth.signInWithPassword(STAFF)).error).toBeNull();
    const { data: factors } = await staff.auth.mfa.listFactors();
    const factorId = factors?.totp[0]?.id ?? "";
    expect((await staff.auth.mfa.challengeAndVerify({ factorId, code: await codeAt(offset) })).error).toBeNull();
    const file = await staff.storage.from("papers").download("list.bin");
    expect(Buffer.from((await file.data?.arrayBuffer()) ?? new ArrayBuffer())).toEqual(BYTES);
    const linked = await fetch(url + signedPath);
    expect(Buffer.from(await linked.arrayBuffer())).toEqual(BYTES);
    const earlier = client();
    const refreshed = await earlier.auth.refreshSession({ refresh_token: session.refresh_token });
    expect(refreshed.error).toBeNull();
    expect((await earlier.from("bookings").select("id")).error).toBeNull();
    return refreshed.data.session ?? expect.unreachable();
  }

  /** Deletes a file during a snapshot and another after it: the bytes of the first must exist until then. */
  async function expectHeldBytes(service: SupabaseClient): Promise<void> {
    const { SECRET_KEY: secretKey, PUBLISHABLE_KEY: publishableKey, API_URL: url } = JSON.parse(await status());
    const call = (key: string, method: string, path = ""): Promise<Response> =>
      fetch(`${url}/operations/v1/snapshots${path}`, { method, headers: { apikey: key } });
    const countFiles = async (): Promise<number> => (await installation.files.list("objects/")).length;
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

  test("with files in a bucket is backed up while it serves, and restored on a PostgreSQL server and moved back with equal sums, all sign-ins, links and files", async () => {
    const [backupFile, second] = [join(directory, "first.tar"), join(directory, "second.tar")];
    const back = { into: join(directory, "third") };
    let rows = 0;
    let continued: Session;
    {
      await using site = await installation.serve({ START_FRESH: "secrets", S3_BUCKET: "files" });
      const staff = site.client();
      expect((await staff.auth.signInWithPassword(STAFF)).error).toBeNull();
      const enrolled = await staff.auth.mfa.enroll({ factorType: "totp" });
      if (enrolled.data?.type !== "totp") throw new Error("no factor");
      secret = enrolled.data.totp.secret;
      const proved = await staff.auth.mfa.challengeAndVerify({ factorId: enrolled.data.id, code: await codeAt(-STEP_MS) });
      expect(proved.error).toBeNull();
      signedIn = (await staff.auth.getSession()).data.session ?? expect.unreachable();
      await site.service.storage.createBucket("papers", { public: true });
      expect((await site.service.storage.from("papers").upload("list.bin", BYTES)).error).toBeNull();
      const { data: link } = await site.service.storage.from("papers").createSignedUrl("list.bin", 3600);
      signedPath = link?.signedUrl.slice(site.url.length) ?? "";

      const date = { id: crypto.randomUUID(), course_name: "Manual Handling", course_date: "2030-01-07T09:00:00Z", capacity: 4 };
      expect((await staff.from("course_dates").insert(date)).error).toBeNull();
      const booking = { course_id: date.id, name: "Ada Fell", email: "ada@mail.example" };
      expect((await staff.from("bookings").insert(booking)).error).toBeNull();

      let isDone = false;
      let written = 0;
      const writing = (async () => {
        while (!isDone) {
          expect((await staff.from("course_dates").insert({ ...date, id: crypto.randomUUID() })).error).toBeNull();
          written += 1;
        }
      })();
      await expect.poll(() => written).toBeGreaterThan(3);
      const { steps, onProgress } = recordProgress();
      await backup(backupFile, { secrets: true, onProgress });
      isDone = true;
      await writing;
      expect(await readdir(join(installation.env["DATA_DIR"] ?? "", "snapshots"))).toEqual([]);
      const manifest = await checkArchive(backupFile);
      const saved = manifest.tables.find(({ name }) => name === "course_dates")?.rows ?? 0;
      expect(saved).toBeGreaterThan(3);
      expect(saved).toBeLessThanOrEqual(written);
      expect(manifest.objects).toEqual({ count: 1, bytes: BYTES.length, missing: [] });
      rows = countRows(manifest);
      expect([...steps]).toEqual([
        ["rows_saved", [rows, rows]],
        ["files_saved", [1, 1]],
      ]);
      await expectHeldBytes(site.service);
    }

    const postgres = await createTestPostgres({ platform: false });
    cleanup.defer(postgres.remove);
    const onServer = { DATA_DIR: join(directory, "second"), DATABASE_URL: postgres.url };
    installation.use(onServer);
    const restored = recordProgress();
    expect(await restore(backupFile, { into: postgres.url, secrets: true, onProgress: restored.onProgress })).toContain("restored");
    const { size } = await stat(backupFile);
    expect([...restored.steps]).toEqual([
      ["bytes_checked", [size, size]],
      ["files_restored", [1, 1]],
      ["rows_restored", [rows, rows]],
      ["rows_compared", [rows, rows]],
    ]);
    const uploaded = recordProgress();
    await backup("s3://backups/site/larkfell.tar", { secrets: false, onProgress: uploaded.onProgress });
    const downloaded = recordProgress();
    await installation.backups.download("site/larkfell.tar", second, downloaded.onProgress);
    const inBucket = (await stat(second)).size;
    expect(uploaded.steps.get("bytes_uploaded")).toEqual([inBucket, inBucket]);
    expect(downloaded.steps.get("bytes_downloaded")).toEqual([inBucket, inBucket]);
    const unchanged = async (file: string): Promise<unknown> => (await checkArchive(file)).tables.filter(({ name }) => name !== "letters");
    expect(await unchanged(second)).toEqual(await unchanged(backupFile));
    await expect(restore(backupFile, { into: postgres.url, secrets: false })).rejects.toThrow("is not empty");
    {
      await using site = await installation.serve(onServer);
      continued = await expectWhole(site, signedIn, 0);
      // The installation that made the backup may have sent the letter that is due since then.
      const letters = await site.service.from("letters").select("kind, state, response").order("due_at");
      expect(letters.data).toEqual([
        { kind: "confirmation", state: "failed", response: expect.stringContaining("It may have arrived") },
        ...["reminder_week", "reminder_day"].map((kind) => ({ kind, state: "waiting", response: null })),
      ]);
      await expect(move(back)).rejects.toThrow("Stop the server first");
    }

    installation.use(onServer);
    const moved = recordProgress();
    expect(await move({ ...back, onProgress: moved.onProgress })).toContain("moved");
    expect([...moved.steps.keys()]).toEqual([
      "rows_saved",
      "files_saved",
      "bytes_checked",
      "files_restored",
      "rows_restored",
      "rows_compared",
    ]);
    for (const [done, total] of moved.steps.values()) expect(done).toBe(total);
    await expect(move(back)).rejects.toThrow("is not empty");
    expect(existsSync(`${back.into}.moving`)).toBe(false);
    {
      await using site = await installation.serve({ DATA_DIR: back.into });
      await expectWhole(site, continued, STEP_MS);
    }
    // It syncs thousands of files, which takes long on a busy machine.
  }, 900_000);

  test("needs the passphrase of its backup, and is restored without secrets on request only", async () => {
    const file = join(directory, "first.tar");
    const into = join(directory, "fourth");
    installation.use({ BACKUP_PASSPHRASE: "another passphrase" });
    await expect(restore(file, { into, secrets: true })).rejects.toMatchObject({ code: "passphrase" });
    installation.use({ BACKUP_PASSPHRASE: "" });
    await expect(restore(file, { into, secrets: true })).rejects.toThrow("Set BACKUP_PASSPHRASE");
    await expect(backup(join(directory, "none.tar"), { secrets: true })).rejects.toThrow("Set BACKUP_PASSPHRASE");
    await backup(join(directory, "without.tar"), { secrets: false });
    expect((await checkArchive(join(directory, "without.tar"))).secrets).toBe(false);
    expect(existsSync(into)).toBe(false);
    const { secretKey } = JSON.parse(await readFile(join(installation.env["DATA_DIR"] ?? "", "secrets.json"), "utf8"));
    expect((await readFile(file)).includes(secretKey)).toBe(false);
  });

  test("is restored with its files in a bucket after a restore was killed, which left no data directory", async () => {
    const file = join(directory, "first.tar");
    const into = join(directory, "fifth");
    const postgres = await createTestPostgres({ platform: false });
    cleanup.defer(postgres.remove);
    const locations = { [join(directory, "embedded")]: join(directory, "embedded"), [postgres.url]: into };
    for (const [location, dataDir] of Object.entries(locations)) {
      const child = spawnEntry(
        "operations/larkfell.ts",
        { ...installation.env, DATA_DIR: dataDir, S3_BUCKET: "restored" },
        [],
        ["restore", file, "--into", location],
      );
      const output = collectOutput(child);
      await expect.poll(() => existsSync(join(`${dataDir}.unfinished`, "secrets.json")), { interval: 10, timeout: 200_000 }).toBe(true);
      child.kill("SIGKILL");
      await once(child, "close");
      expect(output()).toMatch(/^Megabytes checked: (\d\.\d) of \1\nFiles restored: 1 of 1\n/);
      expect(existsSync(dataDir)).toBe(false);
    }
    const onServer = { DATA_DIR: into, DATABASE_URL: postgres.url, S3_BUCKET: "restored" };
    installation.use(onServer);
    await restore(file, { into: postgres.url, secrets: true });
    expect(existsSync(`${into}.unfinished`)).toBe(false);
    await using site = await installation.serve(onServer);
    await expectWhole(site, signedIn, 0);
  });

  test.skipIf(!hasScript)("shows the progress of its backup in one line of the terminal, which makes room for the result", async () => {
    const file = join(directory, "terminal.tar");
    const command = `"${process.execPath}" operations/larkfell.ts backup "${file}" --without-secrets 2>&1`;
    const { PATH = "" } = process.env;
    const child = spawn("script", ["-qec", command, "/dev/null"], {
      env: { PATH, TERM: "xterm", DATA_DIR: join(directory, "third"), NODE_NO_WARNINGS: "1" },
    });
    const output = collectOutput(child);
    await once(child, "close");
    const [screen, result] = output().split("\r\n");
    const states = (screen ?? "").split("\u001B[2K\u001B[1G").slice(1);
    expect(states.slice(0, -1)).toContain(`Files saved: 1 of 1`);
    expect(states.slice(0, -1).filter((state) => !/^(?:Rows|Files) saved: [\d,]+ of [\d,]+$/.test(state))).toEqual([]);
    expect(states.at(-1)).toMatch(new RegExp(`^${RegExp.escape(file)}: [\\d,]+ rows of `));
    expect(result).toBe("");
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
