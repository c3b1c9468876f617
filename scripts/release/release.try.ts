import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, realpath, rename, rm, stat, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { collectOutput } from "backend/test/server-process.ts";
import { freePort } from "backend/test/free-port.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { PACKAGES_BESIDE_BUILD } from "../../server/vite.config.ts";
import { writeTarball } from "./make-release.ts";
import { RELEASE_NAME, releaseFiles, UNUSED } from "./release-files.ts";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PASSPHRASE = "words of a passphrase";
let directory: string;
let home: string;
let launcher: string;
let env: Record<string, string>;

beforeAll(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), "larkfell-release-")));
  home = join(directory, "home");
  await mkdir(home);
  await writeTarball(releaseFiles(ROOT), join(directory, "release.tar.gz"));
  await unpack();
  launcher = join(directory, "larkfell");
  await symlink(join(directory, RELEASE_NAME, "larkfell"), launcher);
  env = { PATH: "/nonexistent", HOME: home, PORT: String(await freePort()), BACKUP_PASSPHRASE: PASSPHRASE };
});
afterAll(() => rm(directory, { recursive: true, force: true }));

async function unpack(): Promise<void> {
  await run("tar", ["-xzf", join(directory, "release.tar.gz"), "-C", directory]);
}

async function larkfell(...args: readonly string[]): Promise<string> {
  return (await run(launcher, args, { cwd: home, env })).stdout;
}

/** Starts the server of the release; disposing of it stops it. */
async function start(): Promise<AsyncDisposable> {
  const child = spawn(launcher, ["start"], { cwd: home, env });
  const output = collectOutput(child);
  await expect.poll(output, { timeout: 120_000 }).toContain("Ready on");
  return {
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await once(child, "close");
    },
  };
}

test("a release runs without other programs, and a second one continues with its data", async () => {
  expect(await larkfell("--version")).toBe(`${packageJson.version}\n`);
  const key = /"SECRET_KEY": "(\S+)"/;
  let before: string | undefined;
  {
    await using _server = await start();
    const page = await fetch(`http://127.0.0.1:${env["PORT"]}/`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("<h1")]);
    expect(await larkfell("backup", "made.tar")).toContain("with secrets");
    expect((await stat(join(home, "made.tar"))).size).toBeGreaterThan(50_000);
    expect(await larkfell("doctor")).toContain("0 problems");
    before = key.exec(await larkfell("status"))?.[1];
  }
  await rename(join(directory, RELEASE_NAME), join(directory, "former"));
  await unpack();
  await using _server = await start();
  expect((await fetch(`http://127.0.0.1:${env["PORT"]}/health/ready`)).status).toBe(200);
  expect(key.exec(await larkfell("status"))?.[1]).toBe(before);
  expect(JSON.parse(await readFile(join(home, "data/secrets.json"), "utf8"))).toBeTypeOf("object");
});

test("every package beside the build can be imported from the release", async () => {
  const names = PACKAGES_BESIDE_BUILD.filter((name) => !UNUSED.has(name));
  const program = `for (const name of ${JSON.stringify(names)}) await import(name);`;
  const cwd = join(directory, RELEASE_NAME, "server/build");
  const loaded = await run("../../bin/node", ["--input-type=module", "--eval", program], {
    cwd,
    env: { PATH: "/nonexistent", LD_LIBRARY_PATH: "../../lib" },
  });
  expect(loaded.stderr).toBe("");
});
