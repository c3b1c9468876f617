import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { findViolations } from "./check-layers.ts";
import { findOversized } from "./check-sizes.ts";
import type { Layer } from "./layers.ts";

const LAYERS: readonly Layer[] = [
  { name: "app", paths: ["app/*"], imports: ["areas", "base", "texts"] },
  { name: "areas", paths: ["app/+"], imports: ["base", "texts"], separate: true },
  { name: "support", paths: ["support"], imports: ["app", "areas"], tests: true },
  { name: "base", paths: ["base"], imports: ["texts"] },
  { name: "texts", paths: ["texts"], imports: [], packages: false },
];

/** A tree without a break: imports point down, tests import support. */
const TREE = {
  "package.json": '{ "workspaces": ["texts", "base"] }',
  "texts/package.json": '{ "name": "texts" }',
  "base/package.json": '{ "name": "base", "exports": { ".": "./src/index.ts" } }',
  "texts/title.ts": "export const title = 1;",
  "texts/title.test.ts": 'import "vitest";',
  "base/src/index.ts": 'import "node:fs";\nimport { title } from "texts/title.ts";',
  "app/main.ts": 'import "./blog/blog.ts";\nconst later = import("./bookings/bookings.ts");',
  "app/blog/blog.ts": 'import "base";\nimport type { Props } from "./+types/blog";',
  "app/blog/blog.test.ts": 'import "../../support/open.ts";\nimport "../main.ts";',
  "app/bookings/bookings.ts": 'export * from "../../base/src/index.ts";',
  "support/open.ts": 'import "../app/main.ts";',
};

const directories: string[] = [];
afterEach(async () => {
  for (const directory of directories.splice(0)) await rm(directory, { recursive: true });
});

async function makeTree(changes: Record<string, string>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "layers-"));
  directories.push(root);
  for (const [path, text] of Object.entries({ ...TREE, ...changes })) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return root;
}

describe("the layer check", () => {
  test("accepts a tree whose imports all point down", async () => {
    expect(findViolations(await makeTree({}), LAYERS)).toEqual([]);
  });

  test.each([
    ["an import that points up", "base/src/up.ts", 'import "../../app/main.ts";', "base/src/up.ts: base may not import app (app/main.ts)"],
    [
      "a type-only import",
      "base/src/up.ts",
      'import type { A } from "../../app/main.ts";',
      "base/src/up.ts: base may not import app (app/main.ts)",
    ],
    [
      "an import over several lines",
      "base/src/up.ts",
      'import {\n  a,\n  b,\n} from "../../app/main.ts";',
      "base/src/up.ts: base may not import app (app/main.ts)",
    ],
    ["a re-export", "base/src/up.ts", 'export { a } from "../../app/main.ts";', "base/src/up.ts: base may not import app (app/main.ts)"],
    [
      "a dynamic import",
      "base/src/up.ts",
      'const a = await import("../../app/main.ts");',
      "base/src/up.ts: base may not import app (app/main.ts)",
    ],
    [
      "a worker file",
      "base/src/up.ts",
      'new Worker(new URL("../../app/main.ts", import.meta.url));',
      "base/src/up.ts: base may not import app (app/main.ts)",
    ],
    ["an import by workspace name", "texts/up.ts", 'import "base";', "texts/up.ts: texts may not import base (base/src/index.ts)"],
    ["a package where none is allowed", "texts/zod.ts", 'import "zod";', "texts/zod.ts: may not import packages (zod)"],
    [
      "an import between two areas",
      "app/blog/cross.ts",
      'import "../bookings/bookings.ts";',
      "app/blog/cross.ts: paths of areas may not import each other (app/bookings/bookings.ts)",
    ],
    [
      "a test of one area that imports another",
      "app/blog/cross.test.ts",
      'import "../bookings/bookings.ts";',
      "app/blog/cross.test.ts: paths of areas may not import each other (app/bookings/bookings.ts)",
    ],
    [
      "source code that imports a test",
      "app/blog/use.ts",
      'import "./blog.test.ts";',
      "app/blog/use.ts: may not import a test (app/blog/blog.test.ts)",
    ],
    [
      "source code that imports test support",
      "app/use.ts",
      'import "../support/open.ts";',
      "app/use.ts: app may not import support (support/open.ts)",
    ],
    ["a folder that is missing from the table", "other/staff.ts", "", "other/staff.ts: its folder is missing from scripts/layers.ts"],
  ])("refuses %s", async (_name, path, text, expected) => {
    expect(findViolations(await makeTree({ [path]: text }), LAYERS)).toEqual([expected]);
  });

  test("refuses files that import each other, even by types only", async () => {
    const tree = await makeTree({
      "base/src/a.ts": 'import type { B } from "./b.ts";',
      "base/src/b.ts": 'import type { A } from "./a.ts";',
    });
    expect(findViolations(tree, LAYERS)).toEqual(["files import each other: base/src/a.ts → base/src/b.ts → base/src/a.ts"]);
  });

  test("refuses layers that import each other", async () => {
    const layers = [...LAYERS.filter(({ name }) => name !== "base"), { name: "base", paths: ["base"], imports: ["app"] }];
    expect(findViolations(await makeTree({}), layers)).toEqual([expect.stringMatching(/^layers import each other: .*base/)]);
  });
});

describe("the size check", () => {
  test("accepts 25 files in a folder and 400 lines in a file", async () => {
    const files = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`many/file-${index}.ts`, "\n".repeat(400)]));
    expect(findOversized(await makeTree(files))).toEqual([]);
  });

  test("refuses a folder with more files and a file with more lines", async () => {
    const files = Object.fromEntries(Array.from({ length: 26 }, (_, index) => [`many/file-${index}${index < 13 ? ".test" : ""}.ts`, ""]));
    const tree = await makeTree({ ...files, "long/long.ts": "\n".repeat(401) });
    expect(findOversized(tree)).toEqual(["long/long.ts: 401 lines, at most 400", "many: 26 files, at most 25"]);
  });
});
