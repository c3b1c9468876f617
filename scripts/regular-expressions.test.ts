import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkSync } from "recheck";
import { parseAst } from "vite";
import { expect, test } from "vitest";
import { FORMS } from "../site/app/time/day-search.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const FOLDERS = ["backend/src", "content", "server", "site/app", "supabase/functions"];

/** Patterns that are used on trusted text only, each with the source of that text. */
const TRUSTED_TEXT: Record<string, string> = {
  "/:resno (\\d+) .*:resorigtbl (\\d+) :resorigcol (\\d+) :resjunk (true|false)/s": "PostgreSQL's own dump of a view's rule",
  '/new URL\\(("\\.{1,2}\\/[^"]+"), import\\.meta\\.url\\)/g': "the sources of the server, when it is built",
};

/** The patterns that a file builds from texts. */
const BUILT: Record<string, readonly RegExp[]> = {
  "site/app/time/day-search.ts": FORMS.map(([form]) => form),
};

const sources = FOLDERS.flatMap(sourceFiles).map((file) => patternsOf(file));
const patterns = new Map(
  sources.flatMap(({ file, literals }) => [...literals, ...(BUILT[file] ?? [])].map((pattern) => [String(pattern), { pattern, file }])),
);

test("the parser finds the patterns of the source", () => {
  expect(patterns.size).toBeGreaterThan(100);
});

test("the patterns of every file that builds some are checked", () => {
  expect(sources.filter(({ builds }) => builds).map(({ file }) => file)).toEqual(Object.keys(BUILT));
});

test("the check reports a pattern with quadratic and one with exponential time", () => {
  expect(checkSync(String.raw`^[^\s@]+@[^\s@]+\.[^\s@]+$`, "").status).toBe("vulnerable");
  expect(checkSync("^(a|a)*$", "").status).toBe("vulnerable");
});

test.each([...patterns])("%s matches in linear time", (name, { pattern, file }) => {
  if (name in TRUSTED_TEXT) return;
  // An attack is judged by the characters it reads, not by its time, which is long on a busy machine.
  const { status } = checkSync(pattern.source, pattern.flags, { timeout: 120_000, attackTimeout: null, randomSeed: 1 });
  expect(`${file}: ${status}`).toBe(`${file}: safe`);
});

function sourceFiles(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .map((file) => join(folder, file))
    .filter((file) => /\.tsx?$/.test(file) && !/node_modules|\.test\.|-fixture\.|\/test\/|\.d\.ts$/.test(file));
}

/** The literals of a file, and whether it calls `RegExp`. */
function patternsOf(file: string): { file: string; literals: RegExp[]; builds: boolean } {
  const literals: RegExp[] = [];
  let builds = false;
  const program = parseAst(readFileSync(join(ROOT, file), "utf8"), { lang: file.endsWith("x") ? "tsx" : "ts" });
  JSON.stringify(program, (_key, node: unknown) => {
    if (isPattern(node)) literals.push(new RegExp(node.regex.pattern, node.regex.flags));
    if (isConstructor(node)) builds = true;
    return typeof node === "bigint" ? String(node) : node;
  });
  return { file, literals, builds };
}

function isConstructor(node: unknown): boolean {
  return typeof node === "object" && node !== null && "callee" in node && isNamed(node.callee, "RegExp");
}

function isNamed(node: unknown, name: string): boolean {
  return typeof node === "object" && node !== null && "name" in node && node.name === name;
}

function isPattern(node: unknown): node is { regex: { pattern: string; flags: string } } {
  return typeof node === "object" && node !== null && "regex" in node && typeof node.regex === "object" && node.regex !== null;
}
