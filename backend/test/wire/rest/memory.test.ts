import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { openPglite } from "../../../src/db/pglite/pglite.ts";
import { prepareDataDirectory, testLog } from "../../database.ts";
import { openRestFixture, type RestFixture } from "./fixture.ts";

const NETWORK = { clientAddress: "192.0.2.1", inProcess: false };

let rest: RestFixture;
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "larkfell-memory-"));
  await prepareDataDirectory(directory);
  rest = await openRestFixture(async ({ scripts = [] } = {}) => {
    const database = await openPglite({ dataDir: join(directory, "database"), log: testLog });
    for (const script of scripts) await database.transaction((tx) => tx.script(script));
    return database;
  });
  await rest.database.transaction((tx) =>
    tx.script(`
      create table article (id int, content text);
      grant select on article to anon;
      grant select on article to service_role;
      insert into article select n, repeat('x', 90000) from generate_series(1, 300) as n;
      notify pgrst`),
  );
});
afterAll(async () => {
  await rest.database.close();
  await rm(directory, { recursive: true });
});

test("an anonymous request from the network cannot enlarge the memory of the embedded database", async () => {
  let restarts = 0;
  const countRestart = (): void => void (restarts += 1);
  process.on("worker", countRestart);
  onTestFinished(() => void process.off("worker", countRestart));
  const refused = await rest.raw("/article?select=content", {}, NETWORK);
  expect([refused.status, await refused.json()]).toEqual([
    400,
    {
      code: "over_memory",
      details: null,
      hint: "Read fewer rows or columns at once.",
      message: "This request takes more memory than an anonymous request may use.",
    },
  ]);
  const fewer = await rest.raw("/article?select=content&limit=50", {}, NETWORK);
  expect([fewer.status, (await fewer.json()).length]).toEqual([200, 50]);
  // The site's own request and staff.
  expect((await (await rest.raw("/article?select=content")).json()).length).toBe(300);
  expect((await rest.admin.from("article").select("content")).data).toHaveLength(300);
  expect(restarts).toBe(0);
});
