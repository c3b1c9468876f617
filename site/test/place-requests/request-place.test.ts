import { describeDatabases } from "backend/test/database.ts";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { sendAtTheSameTime } from "../support/at-the-same-time.ts";
import { noon, setClock } from "../support/clock.ts";
import { PROJECT_URL, PUBLISHABLE_KEY, SECRET_KEY } from "../support/project.ts";
import requestPlace from "../../../supabase/functions/request-place/index.ts";
import { openStaffProject, type StaffProject } from "../support/staff-project.ts";

const REQUEST = { name: "Ada Fell", email: "ada@mail.example", phone: "07700 900 123", places: 2, message: "My firm pays." };

describeDatabases("request-place", (open) => {
  let own: StaffProject;
  beforeAll(async () => {
    own = await openStaffProject(open);
  });
  beforeEach(async () => {
    await own.sql("truncate private.rate_limit_counts");
    await own.empty();
    await setClock(own.project, noon());
  });

  let address = 0;
  function send(course_id: string, values: object = {}, clientAddress = `198.51.100.${(address += 1)}`): Promise<Response> {
    const headers = { apikey: PUBLISHABLE_KEY, "Content-Type": "application/json" };
    const body = JSON.stringify({ id: crypto.randomUUID(), course_id, ...REQUEST, ...values });
    return own.project.backend.fetch(new Request(`${PROJECT_URL}/functions/v1/request-place`, { method: "POST", headers, body }), {
      clientAddress,
    });
  }

  async function outcome(response: Promise<Response>): Promise<unknown> {
    const answer = await response;
    return [answer.status, (await answer.json()).outcome];
  }

  async function enquiries(): Promise<Record<string, unknown>[]> {
    const { data, error } = await own.staff.from("enquiries").select("*").order("created_at");
    if (error) throw error;
    return data;
  }

  async function waiting(): Promise<Record<string, unknown>[]> {
    const { data, error } = await own.staff.from("waiting_list").select("name, email, phone, places, note").order("position");
    if (error) throw error;
    return data;
  }

  test("stores a request for a date with places as a new enquiry, and takes no place", async () => {
    const date = await own.addDate();
    expect(await outcome(send(date))).toEqual([201, "place"]);
    expect(await enquiries()).toMatchObject([
      {
        name: "Ada Fell",
        reply_to: "ada@mail.example",
        phone: "07700 900 123",
        course_name: "Manual Handling",
        course_id: date,
        places: 2,
        message: "My firm pays.",
        request: "place",
        status: "new",
      },
    ]);
    const { data } = await own.staff.from("course_dates").select("places_left").eq("id", date).single();
    expect(data).toEqual({ places_left: 4 });
  });

  test("stores a request for a date whose id has no UUID version, as the portal makes them", async () => {
    const id = "66f4f9b9-bac8-0218-3a6b-864ef882ee00";
    await own.addDate({ id });
    expect(await outcome(send(id))).toEqual([201, "place"]);
  });

  test("stores a request without an e-mail address and message", async () => {
    expect((await send(await own.addDate(), { email: undefined, message: undefined })).status).toBe(201);
    expect(await enquiries()).toMatchObject([{ reply_to: "07700 900 123", phone: null, message: "" }]);
  });

  test.each([
    ["has no place left", { capacity: 1 }, 1],
    ["is set to full", { status: "full" }, 0],
  ])("puts a request on the waiting list if the date %s", async (_which, values, booked) => {
    const date = await own.addDate(values);
    if (booked > 0) await own.book(date);
    expect(await outcome(send(date))).toEqual([201, "waiting"]);
    expect(await enquiries()).toMatchObject([{ request: "waiting", status: "closed" }]);
    expect(await waiting()).toEqual([
      { name: "Ada Fell", email: "ada@mail.example", phone: "07700 900 123", places: 2, note: "My firm pays." },
    ]);
  });

  test("puts a person on a waiting list once, and does not tell strangers who is on it", async () => {
    const date = await own.addDate({ status: "full" });
    await own.add("waiting_list", { course_id: date, name: "Ada", email: "ADA@mail.example" });
    expect(await outcome(send(date, { name: "Stranger" }))).toEqual([201, "waiting"]);
    expect(await waiting()).toMatchObject([{ name: "Ada" }]);
    // The office decides what to do with it.
    expect(await enquiries()).toMatchObject([{ request: "waiting", places: 2, status: "new" }]);
  });

  test.each([
    ["cancelled", { status: "cancelled" }],
    ["postponed", { status: "postponed" }],
    ["over", { course_date: "2020-01-07T09:00:00Z" }],
  ])("stores nothing for a date that is %s", async (_which, values) => {
    expect(await outcome(send(await own.addDate(values)))).toEqual([201, "closed"]);
    expect(await enquiries()).toEqual([]);
  });

  test("stores nothing for a date that does not exist", async () => {
    expect(await outcome(send(crypto.randomUUID()))).toEqual([201, "closed"]);
  });

  test.each([
    ["place", {}],
    ["waiting", { status: "full" }],
  ])("stores a request (%s) once if the sender retries, also at the same time, and counts one", async (kind, values) => {
    const date = await own.addDate(values);
    const id = crypto.randomUUID();
    const retries = Array.from({ length: 8 }, () => () => outcome(send(date, { id }, "203.0.113.1")));
    expect(await sendAtTheSameTime(own.project.database, retries)).toEqual(retries.map(() => [201, kind]));
    const others = [];
    for (let n = 0; n < 5; n += 1) others.push((await send(await own.addDate(), {}, "203.0.113.1")).status);
    expect(others).toEqual([201, 201, 201, 201, 429]);
    expect(await enquiries()).toHaveLength(5);
    expect(await waiting()).toHaveLength(kind === "waiting" ? 1 : 0);
  });

  test("refuses the sixth request or enquiry from one network in ten minutes, and none from another", async () => {
    const date = await own.addDate();
    const statuses = [];
    for (let n = 0; n < 6; n += 1) statuses.push((await send(date, {}, "203.0.113.9")).status);
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429]);
    expect((await send(date, {}, "203.0.113.10")).status).toBe(201);
    await setClock(own.project, noon().add({ minutes: 10 }));
    expect((await send(date, {}, "203.0.113.9")).status).toBe(201);
  });

  test("queues at most three confirmations a day to one address, and stores all requests", async () => {
    const date = await own.addDate();
    for (let n = 0; n < 5; n += 1) await send(date, { email: n % 2 ? "ADA@mail.example" : "ada@mail.example" });
    await send(date, { email: "ben@mail.example" });
    const [queued] = await own.project.database.transaction((tx) =>
      tx.query<{ mails: number }>("select count(*)::int as mails from private.enquiry_mails where kind = 'confirmation'"),
    );
    expect(queued).toEqual({ mails: 4 });
    expect(await enquiries()).toHaveLength(6);
  });

  test("the answer says that a mail confirms the request if one is queued and a mail server is set up", async () => {
    const date = await own.addDate();
    async function isMailed(env: object, values: object = {}): Promise<boolean> {
      const body = JSON.stringify({ id: crypto.randomUUID(), course_id: date, ...REQUEST, ...values });
      const response = await requestPlace.fetch(new Request(PROJECT_URL, { method: "POST", body }), {
        env: { SUPABASE_URL: PROJECT_URL, SUPABASE_SECRET_KEY: SECRET_KEY, ...env },
        fetch: (input, init) => own.project.backend.fetch(new Request(input, init)),
      });
      return (await response.json()).mailed;
    }
    const withMail = { SMTP_URL: "smtp://mail.example" };
    const mailed = [await isMailed({}), await isMailed(withMail, { email: undefined })];
    for (let n = 0; n < 3; n += 1) mailed.push(await isMailed(withMail));
    expect(mailed).toEqual([false, false, true, true, false]);
  });

  test("accepts a request with the honeypot filled in and stores nothing", async () => {
    expect((await send(await own.addDate(), { website: "https://spam.example" })).status).toBe(201);
    expect(await enquiries()).toEqual([]);
  });

  test.each([
    ["an empty name", { name: "  " }],
    ["no way to reply", { email: undefined, phone: undefined }],
    ["an address without a host", { email: "ada@" }],
    ["a phone number without digits", { phone: "(-----)" }],
    ["no place", { places: 0 }],
    ["half a place", { places: 1.5 }],
    ["more places than one request may have", { places: 51 }],
    ["a message that is too long", { message: "a".repeat(2001) }],
    ["a column that visitors do not write", { status: "closed" }],
  ])("refuses %s", async (_what, change) => {
    const answer = await send(crypto.randomUUID(), change);
    expect([answer.status, (await answer.json()).error]).toEqual([400, "invalid_request"]);
  });

  test("a deleted date leaves its requests", async () => {
    const date = await own.addDate();
    await send(date);
    await own.remove("course_dates", date);
    expect(await enquiries()).toMatchObject([{ course_id: null, course_name: "Manual Handling", places: 2 }]);
  });
});
