import { spawnSync } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startProduct } from "./product.ts";
import { type Result, roundDirectory } from "./round.ts";
import { type Acknowledged, countLost, writeUntilStopped } from "./writers.ts";

/** Fills the disk under `DATA_DIR` while staff write, frees it, and checks that reads and sign-ins still worked and no acknowledged write is lost. */
export async function fullDisk(seconds: number): Promise<Result> {
  await using directory = await roundDirectory();
  if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=400m", "tmpfs", directory.path]).status !== 0) {
    return { ok: true, skipped: "mounting a file system needs root on Linux", figures: {} };
  }
  try {
    return await fillAndFree(directory.path, seconds);
  } finally {
    spawnSync("umount", [directory.path]);
  }
}

async function fillAndFree(mount: string, seconds: number): Promise<Result> {
  const ballast = join(mount, "ballast");
  const acknowledged: Acknowledged = { rows: [], files: [] };
  await using product = await startProduct(join(mount, "data"));
  const staff = await product.staff();
  const end = performance.now() + seconds * 1000;
  let turns = 0;
  let failedReads = 0;
  let failedSignIns = 0;
  let longestRecovery = 0;
  do {
    turns += 1;
    const stop = new AbortController();
    const writing = writeUntilStopped(staff, acknowledged, stop.signal);
    await delay(1000);
    await writeFile(ballast, Buffer.alloc(500 * 1024 * 1024)).catch(() => undefined);
    await delay(2000);
    const { error } = await staff.from("course_dates").select("id").limit(1);
    if (error) failedReads += 1;
    await product.staff().catch(() => (failedSignIns += 1));
    stop.abort();
    await writing;
    await rm(ballast, { force: true });
    const freed = performance.now();
    while ((await staff.from("course_dates").insert({ course_name: "Lvl 2 CCTV", course_date: "2031-03-10T09:00:00Z" })).error) {
      if (performance.now() - freed > 60_000)
        return { ok: false, figures: { turns, problem: "no write succeeds 60 s after space was freed" } };
      await delay(100);
    }
    longestRecovery = Math.max(longestRecovery, performance.now() - freed);
  } while (performance.now() < end);
  const lost = await countLost(staff, acknowledged);
  const figures = {
    turns,
    "acknowledged rows": acknowledged.rows.length,
    lost,
    "failed reads": failedReads,
    "failed sign-ins": failedSignIns,
    "writes again after ms": Math.round(longestRecovery),
  };
  return { ok: lost === 0 && failedReads === 0 && failedSignIns === 0, figures };
}
