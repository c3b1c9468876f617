import { openCrashingPglite } from "backend/test/crashing-pglite.ts";
import { expect, test } from "vitest";
import { noon, setClock } from "../support/clock.ts";
import { openProject, PROJECT_URL, PUBLISHABLE_KEY } from "../support/project.ts";

test("a crash of the embedded database does not reset the limit of enquiries", async () => {
  const { database, crash } = await openCrashingPglite();
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

  await crash();
  expect(await send()).toBe(429);
});
