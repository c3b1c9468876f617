import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestPglite } from "../../test/database.ts";
import { TEMPORARY_FILES } from "../../test/temporary-files.ts";
import { type Database, DatabaseError } from "../db/database.ts";
import type { Identify } from "../identity.ts";
import type { Job } from "../jobs.ts";
import * as SQLSTATE from "../sqlstates.ts";
import { createSnapshots } from "./snapshots.ts";

const URL_OF_SNAPSHOTS = "http://larkfell.example/operations/v1/snapshots";

let directory: string;
let database: Database;
beforeAll(async () => {
  directory = await mkdtemp(join(TEMPORARY_FILES, "larkfell-snapshots-"));
  database = await openTestPglite();
});
afterAll(async () => {
  await database.close();
  await rm(directory, { recursive: true });
});

interface Slow {
  call: (method: string, path?: string) => Promise<Response>;
  end: () => void;
  fail: (error: Error) => void;
  job: Job;
}

/** The endpoint of a database whose copy takes until `end` is called. */
function slowSnapshots(): Slow {
  const { promise, resolve: end, reject: fail } = Promise.withResolvers<void>();
  const copyTo = async (target: string): Promise<void> => {
    await mkdir(target);
    await promise;
  };
  const identify: Identify = () => Promise.resolve({ role: "service_role", claims: {}, authenticated: true });
  const snapshots = createSnapshots({ database: { ...database, copyTo }, directory, identify, patienceMs: 20 });
  const call = (method: string, path = ""): Promise<Response> => snapshots.fetch(new Request(URL_OF_SNAPSHOTS + path, { method }));
  return { call, end, fail, job: snapshots.job };
}

/** Asks again while the answer is 202, as the command does: on a busy machine the end of a copy takes longer than one request waits. */
async function answerOf(call: Slow["call"], id: string): Promise<Response> {
  for (;;) {
    const response = await call("GET", `/${id}`);
    if (response.status !== 202) return response;
  }
}

test("a slow copy is answered with 202 until it is complete", async () => {
  const { call, end } = slowSnapshots();
  const begun = await call("POST");
  expect(begun.status).toBe(202);
  const { id } = await begun.json();
  expect((await call("GET", `/${id}`)).status).toBe(202);
  end();
  const made = await answerOf(call, id);
  expect([made.status, await made.json()]).toEqual([201, { id, directory: join(directory, id) }]);
  expect(existsSync(join(directory, id, "database"))).toBe(true);
  expect((await call("DELETE", `/${id}`)).status).toBe(204);
  expect(existsSync(join(directory, id))).toBe(false);
  expect((await call("GET", `/${id}`)).status).toBe(404);
});

test("a copy for which the disk has no space fails and is removed", async () => {
  const { call, fail } = slowSnapshots();
  const { id } = await (await call("POST")).json();
  fail(new DatabaseError("no space left", { code: SQLSTATE.diskFull }));
  expect((await answerOf(call, id)).status).toBe(507);
  expect(await readdir(directory)).toEqual([]);
});

test("the copies of interrupted backups are removed after a day", async () => {
  const { job } = slowSnapshots();
  const [old, recent] = [crypto.randomUUID(), crypto.randomUUID()];
  for (const id of [old, recent]) await mkdir(join(directory, id));
  const yesterday = Date.now() / 1000 - 25 * 3600;
  await utimes(join(directory, old), yesterday, yesterday);
  await job.run();
  expect(await readdir(directory)).toEqual([recent]);
});
