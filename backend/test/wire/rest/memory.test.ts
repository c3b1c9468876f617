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
  prepareDataDirectory(directory);
  rest = await openRestFixture(async ({ scripts = [] } = {}) => {
    const database = await openPglite({ dataDir: join(directory, "database"), log: testLog });
    for (const script of scripts) await database.transaction((tx) => tx.script(script));
    return database;
  });
  await rest.database.transaction((tx) =>
    tx.script(`
      create view article as select megabytes, repeat(repeat('x', 10000), megabytes * 100) as content from (values (1), (100)) as sizes (megabytes);
      grant select on article to anon, service_role;
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
  // Reads one row and sends none of its text, so that the time limit of the statement is far away, also on a busy machine.
  const large = "/article?select=megabytes&content=neq.y&megabytes=eq.100";
  const refused = await rest.raw(large, {}, NETWORK);
  expect([refused.status, await refused.json()]).toEqual([
    400,
    {
      code: "over_memory",
      details: null,
      hint: "Read fewer rows or columns at once.",
      message: "This request takes more memory than an anonymous request may use.",
    },
  ]);
  const smaller = await rest.raw(large.replace("eq.100", "eq.1"), {}, NETWORK);
  expect([smaller.status, await smaller.json()]).toEqual([200, [{ megabytes: 1 }]]);
  // The site's own request and staff.
  expect(await (await rest.raw(large)).json()).toEqual([{ megabytes: 100 }]);
  expect((await rest.admin.from("article").select("megabytes").neq("content", "y").eq("megabytes", 100)).data).toEqual([
    { megabytes: 100 },
  ]);
  expect(restarts).toBe(0);
});
