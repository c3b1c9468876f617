import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, mkdtempDisposable, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { extract } from "tar-stream";
import { expect, test } from "vitest";
import { z } from "zod";
import packageJson from "../../package.json" with { type: "json" };
import { writeTarball } from "./make-release.ts";
import { type ReleaseFile, releaseFiles } from "./release-files.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const files = releaseFiles(ROOT);
const paths = files.map(({ path }) => path);

test("a release contains no tests, no settings of the checkout, and of the sources only the entries of functions", () => {
  expect(paths.filter((path) => /\.test\.|(?:^|\/)(?:tests?|e2e|torture|bench|release|data)\//.test(path))).toEqual([]);
  expect(paths.filter((path) => basename(path).startsWith(".env"))).toEqual([".env.example"]);
  const sources = paths.filter((path) => !path.startsWith("node_modules/") && /\.tsx?$/.test(path));
  expect(sources.filter((path) => path !== "operations/larkfell.ts" && !/^supabase\/functions\/[a-z-]+\/index\.ts$/.test(path))).toEqual(
    [],
  );
});

test("a release contains no development package, and none that only the build needs", () => {
  const { packages } = z
    .object({ packages: z.record(z.string(), z.object({ dev: z.boolean().default(false) })) })
    .parse(JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")));
  const folders = new Set(paths.flatMap((path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []));
  expect(folders.size).toBeGreaterThan(50);
  expect([...folders].filter((folder) => packages[folder] === undefined || packages[folder].dev)).toEqual([]);
  for (const name of ["vite", "react", "playwright-core", "typescript"]) expect(folders).not.toContain(`node_modules/${name}`);
});

test("the lock file has the optional packages of every system, so that npm installs those of another processor", () => {
  const { packages } = z
    .object({ packages: z.record(z.string(), z.object({ optionalDependencies: z.record(z.string(), z.string()).default({}) })) })
    .parse(JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")));
  const names = new Set(Object.keys(packages).map((folder) => folder.replace(/^.*node_modules\//, "")));
  const missing = Object.values(packages).flatMap((entry) => Object.keys(entry.optionalDependencies).filter((name) => !names.has(name)));
  expect(missing).toEqual([]);
});

test("a release contains the licences of Node and of every package, built in or beside the build", () => {
  const licenses = textOf("LICENSES.md");
  expect(licenses).toContain("Node.js is licensed for use as follows");
  for (const name of ["react", "hono", "ws", "pg"]) expect(licenses).toContain(`## ${name} - `);
  for (const name of ["sharp", "pino", "@electric-sql/pglite"]) expect(licenses).toContain(`- ${name} `);
  expect(licenses).not.toContain("no licence named");
});

test("a release starts the server with the flags and settings of npm start", () => {
  const [settings = "", start = ""] = packageJson.scripts.start.split(" exec node ");
  const launcher = readFileSync(join(import.meta.dirname, "larkfell"), "utf8");
  const [flags = ""] = start.split(" server/build/");
  expect(launcher).toContain(`exec "$here/bin/node" ${flags} "$here/server/build/site.js"`);
  for (const [setting] of settings.matchAll(/[A-Z_]+=(?!node_modules)\S+/g)) expect(launcher).toContain(setting);
});

test("the same files give the same tarball, whenever and by whom they were written", async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), "larkfell-release-"));
  const source = join(directory.path, "source");
  await writeFile(source, "a program", { mode: 0o600 });
  const some: ReleaseFile[] = [
    { path: "bin/program", content: { file: source }, isExecutable: true },
    { path: "folder/notes.md", content: { text: "" } },
  ];
  const [first, second] = [join(directory.path, "1.tar.gz"), join(directory.path, "2.tar.gz")];
  await writeTarball(some, first);
  await utimes(source, 1, (await stat(source)).mtimeMs / 1000 + 100);
  await writeTarball(some, second);
  expect(await readFile(second)).toEqual(await readFile(first));
  expect(await modesIn(first)).toEqual({ "": "755", bin: "755", folder: "755", "bin/program": "755", "folder/notes.md": "644" });
});

function textOf(path: string): string {
  const content = files.find((file) => file.path === path)?.content;
  return content && "text" in content ? content.text : "";
}

/** The mode of each entry by its path below the folder of the release. */
async function modesIn(tarball: string): Promise<Record<string, string>> {
  const archive = extract();
  archive.end(gunzipSync(await readFile(tarball)));
  const modes: Record<string, string> = {};
  for await (const entry of archive) {
    modes[entry.header.name.split("/").slice(1).join("/")] = (entry.header.mode ?? 0).toString(8);
    entry.resume();
  }
  return modes;
}

/** Lists the files that `npm pack` puts into the package of each folder. */
async function packed(...folders: string[]): Promise<string[][]> {
  const { stdout } = await promisify(execFile)("npm", ["pack", "--dry-run", "--json", "--ignore-scripts", ...folders], { cwd: ROOT });
  const results = z.array(z.object({ files: z.array(z.object({ path: z.string() })) })).parse(JSON.parse(stdout));
  return results.map((result) => result.files.map(({ path }) => path));
}

test("npm pack packs the sources of the product, and no tests, measurements, secrets or data, wherever they are in the checkout", async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), "larkfell-pack-"));
  const secret = [".env", "server/.env", "data/secrets.json", "data/database/PG_VERSION", "backup.tar", "release/larkfell.tar.gz"];
  const made = ["server/build/site.js", "site/build/client/entry.js", "server/node_modules/hono/index.js", "backend/test/database.ts"];
  for (const name of [...secret, ...made, "server/site.ts"]) {
    await mkdir(dirname(join(directory.path, name)), { recursive: true });
    await writeFile(join(directory.path, name), "");
  }
  await writeFile(join(directory.path, "package.json"), JSON.stringify(packageJson));
  const [names = [], ofDirectory = []] = await packed(ROOT, directory.path);
  expect(names).toEqual(expect.arrayContaining(["backend/src/index.ts", "scripts/setup.mjs", "server/site.ts", "site/app/root.tsx"]));
  expect(new Set(names.filter((name) => name.includes("/")).map((name) => name.split("/")[0]))).toEqual(
    new Set(["backend", "content", "docs", "operations", "scripts", "server", "site", "supabase"]),
  );
  expect(names.filter((name) => /\.test\.|fixture|(?:^|\/)(?:tests?|node_modules|build|screenshots|release)\//.test(name))).toEqual([]);
  expect(ofDirectory.toSorted()).toEqual(["package.json", "server/site.ts"]);
});
