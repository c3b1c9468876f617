import { createHash } from "node:crypto";
import { glob, readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { MigrationError } from "./migration-error.ts";

export interface SqlFile {
  path: string;
  text: string;
}

export interface MigrationFile extends SqlFile {
  version: string;
  name: string;
}

interface SeedFile extends SqlFile {
  /** The name under which the file is recorded as applied. */
  name: string;
  hash: string;
}

const MIGRATION_NAME = /^(\d+)_(.+)\.sql$/;

/**
 * Reads the `<version>_<name>.sql` files of a directory in the order of their versions; none if the directory is absent. Fails with a
 * `MigrationError` of the code `migration_repeated` if two have the same version, because the second would never be applied.
 */
export async function readMigrations(directory: string): Promise<MigrationFile[]> {
  const entries = await readdir(directory).catch((error: unknown) => {
    if (isAbsent(error)) return [];
    throw error;
  });
  const files: MigrationFile[] = [];
  for (const entry of entries.toSorted(byCodeUnits)) {
    const [, version, name] = MIGRATION_NAME.exec(entry) ?? [];
    if (version === undefined || name === undefined) continue;
    if (files.at(-1)?.version === version)
      throw new MigrationError("another migration has the same version", { file: join(directory, entry), code: "migration_repeated" });
    files.push({ ...(await readSql(join(directory, entry))), version, name });
  }
  return files;
}

/** Reads the seeds that `config.toml` names by paths or globs, each once, in that order. */
export async function readSeeds(supabaseDir: string, patterns: readonly string[]): Promise<SeedFile[]> {
  const paths = new Set<string>();
  for (const pattern of patterns) {
    const found = await Array.fromAsync(glob(pattern, { cwd: supabaseDir }));
    for (const path of found.toSorted(byCodeUnits)) paths.add(join(supabaseDir, path));
  }
  return Promise.all(
    Array.from(paths, async (path) => {
      const { text } = await readSql(path);
      return { path, text, name: relative(supabaseDir, path), hash: createHash("sha256").update(text).digest("hex") };
    }),
  );
}

async function readSql(path: string): Promise<SqlFile> {
  const text = await readFile(path, "utf8");
  return { path, text: text.replace(/^\uFEFF/, "") };
}

function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : 1;
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
