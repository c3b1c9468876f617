import { once } from "node:events";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { SupabaseClient } from "@supabase/supabase-js";
import { countHalfDone } from "./power-cut/check-cluster.ts";
import type { Losses } from "./power-cut/unsynced-files.ts";
import { type Product, startProduct } from "./product.ts";
import { type Options, type Result, roundDirectory } from "./round.ts";
import { type Acknowledged, countLost, writeUntilStopped } from "./writers.ts";

const PRELOAD = fileURLToPath(new URL("./power-cut/preload.ts", import.meta.url));
/** The cut comes at a random write of the database up to this one; a start after a cut makes some hundred. */
const LAST_WRITE = 1200;
/** Longest time until the cut; on a slow machine the process is killed without one. */
const LONGEST_TURN_MS = 40_000;

/**
 * Cuts the power under mixed writes on the embedded database: its process ends and loses, at random, what no fsync has stored. Starts it
 * again and looks for every acknowledged row. Uploaded files are not cut. Needs Linux.
 */
export async function powerCuts(seconds: number, { ignoresFsync }: Options): Promise<Result> {
  if (process.platform !== "linux") return { ok: true, skipped: "it needs /proc, which only Linux has", figures: {} };
  await using directory = await roundDirectory();
  const dataDir = join(directory.path, "data");
  const report = `${dataDir}-cut.json`;
  const acknowledged: Acknowledged = { rows: [], files: [] };
  const counts = { cuts: 0, "while starting": 0, "lost blocks": 0, "lost names": 0 };
  const end = performance.now() + seconds * 1000;
  // The database is created without a cut.
  await (await startProduct(dataDir)).end();
  do {
    const env = {
      POWER_CUT_AT_WRITE: String(1 + Math.floor(Math.random() * LAST_WRITE)),
      POWER_CUT_IGNORES_FSYNC: ignoresFsync ? "1" : "0",
    };
    let problem: string | undefined;
    try {
      const product = await startProduct(dataDir, env, ["--import", PRELOAD]);
      await writeUntilCut(product, acknowledged);
    } catch (error) {
      problem = String(error).slice(-1000);
    }
    const losses = await readLosses(report);
    if (losses && problem !== undefined) counts["while starting"] += 1;
    else if (problem !== undefined) return failed(problem);
    if (!losses) continue;
    counts.cuts += 1;
    counts["lost blocks"] += losses.blocks;
    counts["lost names"] += losses.names;
  } while (performance.now() < end);

  try {
    const lost = await countLostOf(dataDir, acknowledged);
    const halfDone = await countHalfDone(dataDir);
    const ok = lost === 0 && halfDone === 0 && counts.cuts > 0 && acknowledged.rows.length > 0;
    return { ok, figures: { ...figures(), lost, "half done": halfDone } };
  } catch (error) {
    return failed(String(error));
  }

  function figures(): Result["figures"] {
    return { ...counts, "acknowledged rows": acknowledged.rows.length, files: acknowledged.files.length };
  }
  function failed(problem: string): Result {
    console.log(problem);
    return { ok: false, figures: { ...figures(), problem: "the database does not start or cannot be read" } };
  }
}

async function countLostOf(dataDir: string, acknowledged: Acknowledged): Promise<number> {
  await using product = await startProduct(dataDir);
  const staff = await signIn(product);
  if (!staff) throw new Error("Nobody can sign in.");
  // Awaited here, because the product ends with this function.
  return await countLost(staff, acknowledged);
}

async function writeUntilCut(product: Product, acknowledged: Acknowledged): Promise<void> {
  const stop = new AbortController();
  const { child } = product;
  const patience = setTimeout(() => child.kill("SIGKILL"), LONGEST_TURN_MS);
  const ended = child.signalCode === null ? once(child, "exit") : Promise.resolve();
  const staff = await signIn(product);
  const writing = staff && writeUntilStopped(staff, acknowledged, stop.signal);
  await ended;
  clearTimeout(patience);
  stop.abort();
  await writing;
}

/** Signs in, again if the first connection after a start is closed; undefined if the process ends or half a minute passes. */
async function signIn(product: Product): Promise<SupabaseClient | undefined> {
  const { child } = product;
  const end = performance.now() + 30_000;
  while (child.signalCode === null && performance.now() < end) {
    const staff = await product.staff().catch(() => undefined);
    if (staff) return staff;
    await delay(200);
  }
  return undefined;
}

/** Reads and removes the report that the preload wrote at the cut. */
async function readLosses(report: string): Promise<Losses | undefined> {
  const text = await readFile(report, "utf8").catch(() => undefined);
  await rm(report, { force: true });
  return text === undefined ? undefined : JSON.parse(text);
}
