import { describeDatabases } from "backend/test/database.ts";
import { beforeAll, expect, test } from "vitest";
import { sendAtTheSameTime } from "../support/at-the-same-time.ts";
import { noon, setClock } from "../support/clock.ts";
import { openProject, PROJECT_URL, PUBLISHABLE_KEY, type Project } from "../support/project.ts";

const enquiry = { name: "Ada", reply_to: "ada@mail.example", course_name: null, message: "When is the next one?" };

describeDatabases("send-enquiry", (open) => {
  let project: Project;
  beforeAll(async () => {
    project = await openProject(open);
    await setClock(project, noon());
  });

  function send(values: object, clientAddress: string): Promise<Response> {
    const headers = { apikey: PUBLISHABLE_KEY, "Content-Type": "application/json" };
    const body = JSON.stringify({ id: crypto.randomUUID(), ...enquiry, ...values });
    const request = new Request(`${PROJECT_URL}/functions/v1/send-enquiry`, { method: "POST", headers, body });
    return project.backend.fetch(request, { clientAddress });
  }

  async function stored(name: string): Promise<object[]> {
    const { data, error } = await project.service.from("enquiries").select("name, reply_to, course_name, message").eq("name", name);
    if (error) throw error;
    return data;
  }

  test("stores an enquiry that staff can read", async () => {
    const answer = await send({}, "198.51.100.1");
    expect([answer.status, await answer.json()]).toEqual([201, { stored: true }]);
    const { client } = await project.staff("staff@site.example");
    const { data } = await client.from("enquiries").select("name, reply_to, course_name, message");
    expect(data).toEqual([enquiry]);
  });

  test("stores an enquiry once if the sender retries, also at the same time, and counts one", async () => {
    const values = { id: crypto.randomUUID(), name: "Retry" };
    const retries = Array.from({ length: 8 }, () => async () => (await send(values, "198.51.100.2")).status);
    expect(await sendAtTheSameTime(project.database, retries)).toEqual(retries.map(() => 201));
    for (let n = 0; n < 4; n += 1) expect((await send({ name: "Other" }, "198.51.100.2")).status).toBe(201);
    expect((await send({ name: "Other" }, "198.51.100.2")).status).toBe(429);
    expect(await stored("Retry")).toHaveLength(1);
  });

  test("refuses the sixth enquiry from one network in ten minutes, and none from another", async () => {
    const statuses = [];
    for (let n = 0; n < 6; n += 1) statuses.push((await send({ name: "Flood" }, `2001:db8:1:2::${n}`)).status);
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429]);
    const refused = await send({ name: "Flood" }, "2001:db8:1:2:3:4:5:6");
    expect([refused.headers.get("retry-after"), (await refused.json()).error]).toEqual(["600", "rate_limited"]);
    expect(await stored("Flood")).toHaveLength(5);
    expect((await send({ name: "Other" }, "2001:db8:1:3::1")).status).toBe(201);
    await setClock(project, noon().add({ minutes: 10 }));
    expect((await send({ name: "Later" }, "2001:db8:1:2::1")).status).toBe(201);
    await setClock(project, noon());
    const counts = await project.database.transaction((tx) =>
      tx.query("select * from private.rate_limit_counts, private.rate_limit_windows, public.enquiries"),
    );
    expect(JSON.stringify(counts)).not.toContain("2001:db8");
  });

  test("does not count refused enquiries", async () => {
    for (let n = 0; n < 8; n += 1) await send({ name: "Flood" }, "198.51.100.6");
    const counts = await project.database.transaction((tx) =>
      tx.query("select max(used)::integer as most from private.rate_limit_counts where name = 'enquiry'"),
    );
    expect(counts).toEqual([{ most: 5 }]);
  });

  test("counts a network without reading the counts of all others", async () => {
    const networks = 50;
    const rowsRead = `select (seq_tup_read + idx_tup_fetch)::integer as rows from pg_stat_xact_user_tables where relname = 'rate_limit_counts'`;
    await project.database.transaction(async (tx) => {
      // Postgres keeps the plan that it made for the few rows of now when there are more.
      await tx.query("analyze private.rate_limit_counts");
      const [before] = await tx.query(rowsRead);
      for (let n = 0; n < networks; n += 1) await tx.query("select private.take_rate_limit('enquiry', $1)", [`network ${n}`]);
      const [after] = await tx.query(rowsRead);
      expect(Number(after?.["rows"]) - Number(before?.["rows"])).toBeLessThanOrEqual(2 * networks);
    });
  });

  test("does not let other requests wait for all enquiries of a flood", async () => {
    const { client } = await project.staff("during-flood@site.example");
    let answered = 0;
    const flood = Array.from({ length: 64 }, () => send({ name: "Flood" }, "198.51.100.5").then(() => (answered += 1)));
    await Promise.race(flood);
    const before = answered;
    expect((await client.from("bookings").select("id")).error).toBeNull();
    expect(answered - before).toBeLessThan(32);
    await Promise.all(flood);
  });

  test("accepts an enquiry with the honeypot filled in and stores nothing", async () => {
    expect((await send({ name: "Machine", website: "https://spam.example" }, "198.51.100.3")).status).toBe(201);
    expect(await stored("Machine")).toEqual([]);
  });

  test.each([
    ["an empty name", { name: "  " }],
    ["no way to reply", { reply_to: "" }],
    ["an empty message", { message: "" }],
    ["a message that is too long", { message: "a".repeat(4001) }],
    ["an id that is no UUID", { id: "1" }],
    ["a column that visitors do not write", { status: "closed" }],
  ])("refuses %s", async (_what, change) => {
    const answer = await send(change, "198.51.100.4");
    expect([answer.status, (await answer.json()).error]).toEqual([400, "invalid_enquiry"]);
  });

  test("refuses a body over 32 KB with 413", async () => {
    const answer = await send({ message: "a".repeat(32 * 1024) }, "198.51.100.5");
    expect([answer.status, (await answer.json()).error]).toEqual([413, "body_too_large"]);
  });

  test.each([
    ["an empty name", { name: "  " }],
    ["no way to reply", { reply_to: "" }],
    ["an empty message", { message: "" }],
    ["a message that is too long", { message: "a".repeat(4001) }],
  ])("the table refuses %s as well", async (_what, change) => {
    const { error } = await project.service.from("enquiries").insert({ ...enquiry, ...change });
    expect(error?.code).toBe("23514");
  });

  test("the table accepts no rows with the publishable key", async () => {
    const { error, status } = await project.visitor.from("enquiries").insert(Array.from({ length: 30 }, () => enquiry));
    expect([status, error?.code]).toEqual([401, "42501"]);
  });
});
