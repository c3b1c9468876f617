import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const DOCUMENTS = ["README.md", "ARCHITECTURE.md", ...globSync("docs/**/*.md", { cwd: ROOT })];
/** Folders that a document may leave out at the start of a path. */
const STARTS = ["", "backend/src", "site/app", "supabase/functions"];

test.each(DOCUMENTS)("%s names only files that exist", (document) => {
  const text = readFileSync(join(ROOT, document), "utf8");
  const named = [...text.matchAll(/`([\w./-]+\/[\w.-]+\.(?:ts|tsx|mjs|sql|toml|css|md|json))`|\b(docs\/[\w./-]+\.md)\b/g)].map(
    ([, path, link]) => path ?? link ?? "",
  );
  // Directories of a running installation are not in the repository.
  const missing = named.filter((path) => !path.startsWith("DATA_DIR/") && !STARTS.some((start) => existsSync(join(ROOT, start, path))));
  expect(missing).toEqual([]);
});

test("every decision has a status line and a number of its own", () => {
  const decisions = globSync("docs/decisions/[0-9]*.md", { cwd: ROOT });
  expect(decisions.length).toBeGreaterThan(20);
  const numbers = decisions.map((file) => /\d{3}/.exec(file)?.[0]);
  expect(new Set(numbers).size).toBe(numbers.length);
  expect(decisions.filter((file) => !/^Status: \w/m.test(readFileSync(join(ROOT, file), "utf8")))).toEqual([]);
});
