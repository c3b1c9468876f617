import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { prepareDataDirectory, testLog } from "backend/test/database.ts";
import { expect, onTestFinished, test } from "vitest";
import { openPglite } from "../../../backend/src/db/pglite/pglite.ts";
import { noon, setClock } from "../support/clock.ts";
import { openProject, PROJECT_URL, PUBLISHABLE_KEY } from "../support/project.ts";

test("a crash of the embedded database does not reset the limit of enquiries", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "enquiry-limit-"));
  let worker: Worker | undefined;
  process.once("worker", (started: Worker) => {
    worker = started;
  });
  await prepareDataDirectory(dataDir);
  const database = await openPglite({ dataDir: join(dataDir, "database"), log: testLog });
  onTestFinished(async () => {
    await database.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  const project = await openProject(() => Promise.resolve(database));
  await setClock(project, noon());
  const send = async (): Promise<number> => {
    const headers = { apikey: PUBLISHABLE_KEY, "Content-Type": "application/json" };
    const enquiry = { id: crypto.randomUUID(), name: "Ada", reply_to: "ada@mail.example", course_name: null, message: "When?" };
    const request = new Request(`${PROJECT_URL}/functions/v1/send-enquiry`, { method: "POST", headers, body: JSON.stringify(enquiry) });
    return (await project.backend.fetch(request, { clientAddress: "198.51.100.1" })).status;
  };
  const before = [];
  for (let n = 0; n < 6; n += 1) before.push(await send());
  expect(before).toEqual([201, 201, 201, 201, 201, 429]);

  await worker?.terminate();
  expect(await send()).toBe(429);
});
