import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const MAX_FILES = 25;
const MAX_LINES = 400;

/** Append-only, and flat as the Supabase CLI reads it. */
const MIGRATIONS = "supabase/migrations";

/** Finds folders with more than 25 files of code and tests, and files of more than 400 lines; generated code and SQL may be longer. */
export function findOversized(root: string): string[] {
  const files = globSync("**/*.{ts,tsx,mjs,css,sql}", { cwd: root, exclude: ["**/{node_modules,build,.*}", "supabase/database.types.ts"] });
  const folders = Map.groupBy(files, dirname);
  const crowded = [...folders].filter(([folder, { length }]) => length > MAX_FILES && folder !== MIGRATIONS);
  const long = files
    .filter((file) => !file.endsWith(".sql"))
    .map((file) => [file, readFileSync(join(root, file), "utf8").split("\n").length - 1] as const);
  return [
    ...crowded.map(([folder, { length }]) => `${folder}: ${length} files, at most ${MAX_FILES}`),
    ...long.filter(([, lines]) => lines > MAX_LINES).map(([file, lines]) => `${file}: ${lines} lines, at most ${MAX_LINES}`),
  ].toSorted();
}

if (import.meta.main) {
  const oversized = findOversized(fileURLToPath(new URL("..", import.meta.url)));
  for (const line of oversized) console.error(line);
  if (oversized.length > 0) process.exitCode = 1;
}
