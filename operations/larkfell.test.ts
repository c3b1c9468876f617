import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { collectOutput, spawnEntry } from "backend/test/server-process.ts";
import { TEMPORARY_FILES } from "backend/test/temporary-files.ts";
import { expect, test } from "vitest";
import packageJson from "../package.json" with { type: "json" };

interface Outcome {
  code: number | null;
  output: string;
}

function run(...args: readonly string[]): Promise<Outcome> {
  return runWith({ DATA_DIR: "/dev/null/none" }, ...args);
}

async function runWith(env: Record<string, string>, ...args: readonly string[]): Promise<Outcome> {
  const child = spawnEntry("operations/larkfell.ts", env, [], args);
  const output = collectOutput(child);
  await once(child, "close");
  return { code: child.exitCode, output: output() };
}

test("the tool lists its commands, and a command explains itself", async () => {
  const { code, output } = await run("--help");
  expect(code).toBe(0);
  const commands = [...output.matchAll(/^ {2}([a-z-]+) (?=.* {2})/gm)].map(([, name]) => name ?? "").filter((name) => name !== "help");
  expect(commands).toEqual(expect.arrayContaining(["status", "backup", "restore", "nightly", "doctor", "move"]));
  // Each run takes half a second, and the help of all commands comes from one function.
  const help = await run("status", "--help");
  expect(help.code).toBe(0);
  expect(help.output).toContain("Usage: larkfell status");
});

test("the exit code is 2 for wrong arguments and 1 for a failure, which is one line", async () => {
  const missing = ["restore", "nothing.tar", "--into", "nowhere"];
  const [none, unknown, failed, mistyped] = await Promise.all([run(), run("tidy"), run("status"), run(...missing)]);
  expect([none.code, unknown.code, failed.code, mistyped.code]).toEqual([2, 2, 1, 1]);
  expect(none.output).toContain("Usage: larkfell");
  expect(unknown.output).toBe("error: unknown command 'tidy'\n");
  expect(failed.output).toMatch(/^DATA_DIR cannot be used: [^\n]+\n$/);
  expect(mistyped.output).toMatch(/^A file or folder cannot be used: ENOENT: [^\n]+ 'nothing\.tar'\n$/);
});

test("a command makes no secrets: a server that lost its own would start with them", async () => {
  const env = { DATA_DIR: join(TEMPORARY_FILES, "larkfell-none"), DATABASE_URL: "postgres://127.0.0.1:9/none" };
  const outcomes = await Promise.all([runWith(env, "status"), runWith(env, "reset-password", "jo@larkfell.example")]);
  const refusal = { code: 1, output: expect.stringMatching(/^[^\n]*secrets\.json is missing: [^\n]+\n$/) };
  expect(outcomes).toEqual([refusal, refusal]);
  expect(existsSync(env.DATA_DIR)).toBe(false);
});

test("the version is the one of package.json, with an entry in the change log", async () => {
  expect(await run("--version")).toEqual({ code: 0, output: `${packageJson.version}\n` });
  expect(await readFile("CHANGELOG.md", "utf8")).toMatch(new RegExp(`^## ${RegExp.escape(packageJson.version)}\\b`, "m"));
});
