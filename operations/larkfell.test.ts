import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { collectOutput, spawnEntry } from "backend/test/server-process.ts";
import { TEMPORARY_FILES } from "backend/test/temporary-files.ts";
import { expect, onTestFinished, test, vi } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { resetPassword } from "./commands/reset-password.ts";
import { status } from "./commands/status.ts";
import { commandFailure } from "./problem.ts";

interface Outcome {
  code: number | null;
  output: string;
}

async function run(...args: readonly string[]): Promise<Outcome> {
  const child = spawnEntry("operations/larkfell.ts", { DATA_DIR: "/dev/null/none" }, [], args);
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
  const help = await run("reset-password", "--help");
  expect(help.code).toBe(0);
  expect(help.output).toMatch(/^Usage: larkfell reset-password \[options\] <email>$/m);
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
  const DATA_DIR = join(TEMPORARY_FILES, "larkfell-none");
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv("DATA_DIR", DATA_DIR);
  vi.stubEnv("DATABASE_URL", "postgres://127.0.0.1:9/none");
  for (const command of [status, () => resetPassword("jo@larkfell.example", {})])
    expect(await command().catch(commandFailure)).toMatch(/^[^\n]*secrets\.json is missing: [^\n]+$/);
  expect(existsSync(DATA_DIR)).toBe(false);
});

test("the version is the one of package.json, with an entry in the change log", async () => {
  expect(await run("--version")).toEqual({ code: 0, output: `${packageJson.version}\n` });
  expect(await readFile("CHANGELOG.md", "utf8")).toMatch(new RegExp(`^## ${RegExp.escape(packageJson.version)}\\b`, "m"));
});
