import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readOrCreateSecrets } from "./secrets.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "secrets "));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

test("secrets are created once, readable by their owner only", async () => {
  const made = await readOrCreateSecrets({ DATA_DIR: directory });
  expect((await stat(join(directory, "secrets.json"))).mode & 0o777).toBe(0o600);
  expect(await readOrCreateSecrets({ DATA_DIR: directory })).toEqual(made);
});

test("two installations have different secrets", async () => {
  const [one, other] = await Promise.all([
    readOrCreateSecrets({ DATA_DIR: join(directory, "one") }),
    readOrCreateSecrets({ DATA_DIR: join(directory, "other") }),
  ]);
  for (const name of ["publishableKey", "secretKey", "jwtSecret"] as const) expect(one[name]).not.toBe(other[name]);
  expect(one.signingKeys[0]?.kid).not.toBe(other.signingKeys[0]?.kid);
});

test("processes that start at the same time use the same secrets", async () => {
  const all = await Promise.all(Array.from({ length: 8 }, () => readOrCreateSecrets({ DATA_DIR: directory })));
  for (const secrets of all) expect(secrets).toEqual(all[0]);
});

test("variables of the environment take precedence and are not written to the file", async () => {
  const secretKey = "sb_secret_from-the-environment";
  expect((await readOrCreateSecrets({ DATA_DIR: directory, SECRET_KEY: secretKey })).secretKey).toBe(secretKey);
  expect((await readOrCreateSecrets({ DATA_DIR: directory })).secretKey).not.toBe(secretKey);
});
