import { execFile, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SOURCES = [
  "backend",
  "content",
  "operations",
  "scripts",
  "server",
  "site",
  "supabase",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
];
const LEFT_OUT = ["node_modules", "build", ".react-router", "data", "test-results"];

/** Copies the sources into an empty directory, with the packages that `npm ci --omit=dev` would install. */
export async function copyForProduction(copy: string): Promise<void> {
  const filter = (path: string): boolean => !LEFT_OUT.some((name) => path.split("/").includes(name) && !ROOT.split("/").includes(name));
  await Promise.all(SOURCES.map((name) => cp(join(ROOT, name), join(copy, name), { recursive: true, filter })));
  // The build of the backend, an empty database, is the same in each copy.
  await cp(join(ROOT, "backend/build"), join(copy, "backend/build"), { recursive: true });
  await linkProductionPackages(copy);
}

/** Builds the site of a copy as `npm start` does. */
export async function buildCopy(copy: string): Promise<void> {
  await promisify(execFile)(join(copy, "node_modules/.bin/node"), ["scripts/setup.mjs", "--production", "--build"], { cwd: copy });
}

/** Hard-links the packages, with the stamp of a complete installation. */
async function linkProductionPackages(to: string): Promise<void> {
  const lock: { packages: Record<string, { dev?: boolean; link?: boolean }> } = JSON.parse(
    await readFile(join(ROOT, "package-lock.json"), "utf8"),
  );
  const wanted = Object.entries(lock.packages).flatMap(([path, { dev }]) => (path.includes("node_modules/") && !dev ? [path] : []));
  const outermost = wanted.filter((path) => path.lastIndexOf("node_modules/") === path.indexOf("node_modules/"));
  // A package for another platform is in the lockfile and not on this disk.
  const paths = [...outermost, "node_modules/.bin", "node_modules/.setup-stamp"].filter((path) => existsSync(join(ROOT, path)));
  // Hard links need the same file system, and only GNU's `cp` creates them.
  if (spawnSync("cp", ["-al", "--parents", ...paths, to], { cwd: ROOT }).status === 0) return;
  for (const path of paths) await cp(join(ROOT, path), join(to, path), { recursive: true, verbatimSymlinks: true });
}
