import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { checkArchive } from "backend/backup.ts";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { backup } from "./commands/backup.ts";
import { nightly } from "./commands/nightly.ts";
import { rehearse } from "./commands/rehearse.ts";
import { restore } from "./commands/restore.ts";
import { type Installation, prepareInstallation } from "./installation-fixture.ts";
import { problemOf } from "./problem.ts";

/** Secrets are encrypted with a slow hash. */
const TONIGHT = { day: "2026-11-23", secrets: false };
const IN_BUCKET = "s3://backups/site/larkfell-2026-11-23.tar";
const EARLIER = Array.from({ length: 8 }, (_, index) => `larkfell-2026-01-0${index + 1}.tar`);

let installation: Installation;
let directory: string;
beforeAll(async () => {
  installation = await prepareInstallation();
  directory = installation.directory;
  await using site = await installation.serve({ START_FRESH: "secrets" });
  await site.service.storage.createBucket("papers");
  const { error } = await site.service.storage.from("papers").upload("list.bin", Buffer.alloc(700_000, 1));
  if (error) throw error;
});
afterAll(() => installation[Symbol.asyncDispose]());

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).toSorted();
}

test("a nightly backup is rehearsed in a temporary directory, with its secrets, before expired ones are removed", async () => {
  installation.use({});
  await expect(nightly({ ...TONIGHT, secrets: true })).rejects.toThrow("Set BACKUP_DIR");
  const [temporary, folder] = [join(directory, "temporary"), join(directory, "backups")];
  for (const path of [temporary, folder]) await mkdir(path);
  // No process has this id: its rehearsal was killed.
  await mkdir(join(temporary, "larkfell-4194999-abcdef"));
  vi.stubEnv("TMPDIR", temporary);
  vi.stubEnv("BACKUP_DIR", folder);
  const tonight = join(folder, "larkfell-2026-11-23.tar");
  for (const name of EARLIER) await writeFile(join(folder, name), "");
  // A second backup of this day is not made, so its damage is found, and nothing is removed.
  await writeFile(tonight, "damaged");
  await expect(nightly({ ...TONIGHT, secrets: true })).rejects.toThrow("is damaged");
  expect(await namesIn(folder)).toEqual([...EARLIER, "larkfell-2026-11-23.failed.tar"]);
  // Another attempt makes one. The one that failed did not count as good, and is no longer needed.
  const { rows, text } = await nightly({ ...TONIGHT, secrets: true });
  expect(rows).toBeGreaterThan(0);
  expect(text).toMatch(/: checked, \d+ rows of \d+ tables, 1 file \(0\.7 MB\), with secrets\./);
  expect(text).toContain("larkfell-2026-11-23.failed.tar: removed");
  expect(await readdir(temporary)).toEqual([]);
  // The two oldest are of one week.
  expect(await namesIn(folder)).toEqual([...EARLIER.slice(1), "larkfell-2026-11-23.tar"]);
});

test("a nightly backup of the next night fails if it lacks the row of that night, as does the one that replaces it", async () => {
  const folder = await mkdtemp(join(directory, "backups-"));
  installation.use({ BACKUP_DIR: folder });
  // No server began the night.
  const tonight = join(folder, "larkfell-2026-11-23.tar");
  await backup(tonight, { secrets: false });
  const { createdAt } = await checkArchive(tonight);
  for (const name of EARLIER) await writeFile(join(folder, name), "");
  await expect(nightly({ ...TONIGHT, begun: true })).rejects.toMatchObject({ code: "outdated" });
  expect(await namesIn(folder)).toEqual([...EARLIER, "larkfell-2026-11-23.failed.tar"]);
  expect((await checkArchive(join(folder, "larkfell-2026-11-23.failed.tar"))).createdAt).not.toBe(createdAt);
});

test("a nightly backup in a bucket is rehearsed, before expired ones are removed there", async () => {
  const temporary = await mkdtemp(join(directory, "temporary-"));
  installation.use({ BACKUP_DIR: "s3://backups/site/", TMPDIR: temporary });
  const other = join(directory, "other.tar");
  await writeFile(other, "not a backup");
  for (const name of ["another.tar", ...EARLIER]) await installation.backups.upload(`site/${name}`, other);
  await installation.backups.upload("larkfell-2025-01-01.tar", other);
  await installation.backups.upload("site/larkfell-2026-11-23.tar", other);
  await expect(nightly(TONIGHT)).rejects.toThrow("is damaged");
  expect((await installation.backups.list("site/")).map(({ name }) => name)).toContain("larkfell-2026-11-23.failed.tar");
  await backup(IN_BUCKET, { secrets: false });
  expect((await nightly(TONIGHT)).text).toMatch(
    /^s3:\/\/backups\/site\/larkfell-2026-11-23\.tar: checked, .* without secrets\.\ns3:.*01-01\.tar: removed\ns3:.*11-23\.failed\.tar: removed$/,
  );
  const left = (await installation.backups.list("")).map(({ name }) => name).toSorted();
  expect(left).toEqual([
    "larkfell-2025-01-01.tar",
    ...["another.tar", ...EARLIER.slice(1), "larkfell-2026-11-23.tar"].map((name) => `site/${name}`),
  ]);
  await expect(backup(IN_BUCKET, { secrets: false })).rejects.toMatchObject({ code: "exists" });
  const damaged = "s3://backups/site/another.tar";
  const into = join(directory, "from-bucket");
  await expect(restore(damaged, { into, secrets: false })).rejects.toThrow(`${damaged} is damaged`);
  await expect(rehearse("s3://backups/none.tar")).rejects.toThrow("s3://backups/none.tar cannot be used: NoSuchKey.");
  await expect(backup("s3://backups", { secrets: false })).rejects.toThrow("has no name");
  expect(await readdir(temporary)).toEqual([]);
  installation.use({ S3_ACCESS_KEY_ID: "", S3_SECRET_ACCESS_KEY: "" });
  await expect(rehearse(IN_BUCKET)).rejects.toThrow("Set S3_ACCESS_KEY_ID");
});

test("a night fails if the storage has lost uploaded files or cannot be reached: no backup that has them is removed", async () => {
  const folder = await mkdtemp(join(directory, "backups-"));
  installation.use({ BACKUP_DIR: folder });
  await rm(join(directory, "first/storage/objects"), { recursive: true });
  for (const name of EARLIER) await writeFile(join(folder, name), "");
  const lost = "1 uploaded file is missing from the storage";
  await expect(nightly(TONIGHT)).rejects.toMatchObject({ code: "files_missing", message: expect.stringContaining(lost) });
  expect(await namesIn(folder)).toEqual([...EARLIER, "larkfell-2026-11-23.failed.tar"]);
  vi.stubEnv("S3_BUCKET", "files");
  vi.stubEnv("S3_ENDPOINT", "http://127.0.0.1:1");
  expect(await nightly(TONIGHT).catch(problemOf)).toBe("storage");
});
