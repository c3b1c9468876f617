import type { SupabaseClient } from "@supabase/supabase-js";
import { describeDatabases } from "backend/test/database.ts";
import { beforeAll, expect, test } from "vitest";
import type { Project } from "../support/project.ts";
import { openStaffProject, type StaffProject } from "../support/staff-project.ts";

describeDatabases("the waiting list", (open) => {
  let office: StaffProject;
  let project: Project;
  let staff: SupabaseClient;
  let staffId: string;
  beforeAll(async () => {
    office = await openStaffProject(open);
    ({ project, staff, staffId } = office);
  });

  const addDate = (capacity = 2, values: object = {}): Promise<string> => office.addDate({ capacity, ...values });
  const wait = (course_id: string, name: string, values: object = {}): Promise<string> =>
    office.add("waiting_list", { course_id, name, email: `${name.toLowerCase().replaceAll(" ", ".")}@mail.example`, ...values });

  async function waitingNames(course_id: string): Promise<string[]> {
    const { data, error } = await staff.from("waiting_list").select("name").eq("course_id", course_id).order("position");
    if (error) throw error;
    return data.map(({ name }) => name);
  }

  async function booked(course_id: string): Promise<string[]> {
    const { data, error } = await staff.from("bookings").select("name").eq("course_id", course_id).order("name");
    if (error) throw error;
    return data.map(({ name }) => name);
  }

  const book = (entry: string) => staff.rpc("book_waiting", { entry });
  const move = (entry: string, up: boolean) => staff.rpc("move_waiting", { entry, up });

  test("entries are in order of arrival, and a moved entry swaps with its neighbour", async () => {
    const date = await addDate();
    const [ada, ben, cy] = [await wait(date, "Ada"), await wait(date, "Ben"), await wait(date, "Cy")];
    expect(await waitingNames(date)).toEqual(["Ada", "Ben", "Cy"]);
    await move(cy, true);
    expect(await waitingNames(date)).toEqual(["Ada", "Cy", "Ben"]);
    await move(ada, false);
    expect(await waitingNames(date)).toEqual(["Cy", "Ada", "Ben"]);
    for (const [entry, up] of [
      [cy, true],
      [ben, false],
    ] as const) {
      expect((await move(entry, up)).error).toBeNull();
    }
    expect(await waitingNames(date)).toEqual(["Cy", "Ada", "Ben"]);
    await staff.from("waiting_list").delete().eq("id", ada);
    await move(ben, true);
    expect(await waitingNames(date)).toEqual(["Ben", "Cy"]);
  });

  test("concurrent additions and moves give each entry its own position", async () => {
    const date = await addDate();
    const entries = await Promise.all(Array.from({ length: 12 }, (_, number) => wait(date, `Caller ${number}`)));
    const answers = await Promise.all([
      ...entries.map((entry, number) => move(entry, number % 2 === 0)),
      ...Array.from({ length: 6 }, (_, number) =>
        staff.from("waiting_list").insert({ course_id: date, name: "L", phone: `016329600${number}0` }),
      ),
    ]);
    expect(answers.filter(({ error }) => error)).toEqual([]);
    const { data } = await staff.from("waiting_list").select("position").eq("course_id", date);
    expect(new Set(data?.map(({ position }) => position)).size).toBe(18);
  });

  test("booking an entry creates the booking and removes the entry in one transaction", async () => {
    const date = await addDate(3);
    const entry = await wait(date, "Ada", { phone: "01632 960001", places: 2, note: "Vegetarian" });
    const { data: id, error } = await book(entry);
    expect(error).toBeNull();
    const { data } = await staff
      .from("bookings")
      .select("course_id, name, email, phone, places, note, payment_status, status")
      .eq("id", id)
      .single();
    expect(data).toEqual({
      course_id: date,
      name: "Ada",
      email: "ada@mail.example",
      phone: "01632 960001",
      places: 2,
      note: "Vegetarian",
      payment_status: "due",
      status: "active",
    });
    expect(await waitingNames(date)).toEqual([]);
  });

  test("an entry that cannot be booked stays unchanged", async () => {
    const date = await addDate(2);
    const entry = await wait(date, "Ada", { places: 3 });
    const { error, status } = await book(entry);
    expect([status, error?.code, error?.details]).toEqual([409, "PT409", "2"]);
    expect([await waitingNames(date), await booked(date)]).toEqual([["Ada"], []]);
  });

  test("of fifty entries booked at once for the last place, one gets it and the others stay on the list", async () => {
    const date = await addDate(1);
    const entries = await Promise.all(Array.from({ length: 50 }, (_, number) => wait(date, `Caller ${number}`)));
    const answers = await Promise.all(entries.map(book));
    expect(answers.filter(({ error }) => error === null)).toHaveLength(1);
    expect(new Set(answers.flatMap(({ error, status }) => (error ? [`${status} ${error.code}`] : [])))).toEqual(new Set(["409 PT409"]));
    expect([(await waitingNames(date)).length, (await booked(date)).length]).toEqual([49, 1]);
  });

  test("one entry that many book at once is booked once", async () => {
    const date = await addDate(50);
    const entry = await wait(date, "Ada");
    const answers = await Promise.all(Array.from({ length: 20 }, () => book(entry)));
    expect(answers.filter(({ error }) => error === null)).toHaveLength(1);
    expect(new Set(answers.flatMap(({ error, status }) => (error ? [`${status} ${error.code}`] : [])))).toEqual(new Set(["404 PT404"]));
    expect(await booked(date)).toEqual(["Ada"]);
  });

  test("concurrent bookings, entries, moves and withdrawals never deadlock or overbook", async () => {
    const date = await addDate(5);
    const other = await addDate(5);
    const entries = await Promise.all(Array.from({ length: 20 }, (_, number) => wait(number % 2 ? date : other, `Caller ${number}`)));
    const answers = await Promise.all(
      entries.flatMap((entry, number) => [
        book(entry),
        move(entry, true),
        staff
          .from("waiting_list")
          .update({ course_id: number % 2 ? other : date })
          .eq("id", entry),
        staff.from("bookings").insert({ course_id: date, name: `Phone ${number}` }),
      ]),
    );
    const codes = new Set(answers.flatMap(({ error }) => (error ? [error.code] : [])));
    expect([...codes].filter((code) => code !== "PT409" && code !== "PT404")).toEqual([]);
    expect((await booked(date)).length).toBe(5);
    expect((await booked(other)).length).toBeLessThanOrEqual(5);
  });

  test.each([
    ["the same address in other letters", { email: "ADA@mail.example" }],
    ["the same number with its country", { phone: "+44 (0)1632 960-001" }],
    ["the same number with 0044", { phone: "0044 1632 960001" }],
  ])("a person is on the waiting list of a date only once: %s", async (_what, again) => {
    const date = await addDate();
    await wait(date, "Ada", { phone: "01632 960001" });
    const { error } = await staff.from("waiting_list").insert({ course_id: date, name: "Ada Fell", ...again });
    expect(error?.code).toBe("23505");
    const elsewhere = await staff.from("waiting_list").insert({ course_id: await addDate(), name: "Ada Fell", ...again });
    expect(elsewhere.error).toBeNull();
  });

  test("nobody joins the list of a cancelled or missing date; the entries of a date that is cancelled stay", async () => {
    const cancelled = await addDate(2, { status: "cancelled" });
    const entry = { name: "Ada", email: "ada@mail.example" };
    expect((await staff.from("waiting_list").insert({ ...entry, course_id: cancelled })).error?.code).toBe("PT410");
    expect((await staff.from("waiting_list").insert({ ...entry, course_id: crypto.randomUUID() })).error?.code).toBe("23503");

    const date = await addDate();
    const waiting = await wait(date, "Ada");
    await staff.from("course_dates").update({ status: "cancelled" }).eq("id", date);
    expect(await waitingNames(date)).toEqual(["Ada"]);
    expect((await staff.from("waiting_list").update({ course_id: cancelled }).eq("id", waiting)).error?.code).toBe("PT410");
    expect((await book(waiting)).error?.code).toBe("PT410");
    expect(await waitingNames(date)).toEqual(["Ada"]);
  });

  test("an entry that moves to another date goes to the end of that list", async () => {
    const [from, to] = [await addDate(), await addDate()];
    const ada = await wait(from, "Ada");
    await wait(to, "Ben");
    expect((await staff.from("waiting_list").update({ course_id: to }).eq("id", ada)).error).toBeNull();
    expect([await waitingNames(from), await waitingNames(to)]).toEqual([[], ["Ben", "Ada"]]);
  });

  test("a date with a waiting list cannot be deleted, and its entries follow a new time", async () => {
    const date = await addDate();
    const entry = await wait(date, "Ada");
    expect((await staff.from("course_dates").delete().eq("id", date)).error?.code).toBeOneOf(["23503", "23001"]);
    await staff.from("course_dates").update({ course_date: "2030-02-07T09:00:00Z" }).eq("id", date);
    expect(await waitingNames(date)).toEqual(["Ada"]);
    await staff.from("waiting_list").delete().eq("id", entry);
    expect((await staff.from("course_dates").delete().eq("id", date)).error).toBeNull();
  });

  test.each([
    ["a name of spaces", { name: "  " }],
    ["no way to reach them", { email: null }],
    ["an e-mail without @", { email: "ada" }],
    ["a phone number without digits", { phone: "ask her" }],
    ["no places", { places: 0 }],
    ["a note that is too long", { note: "a".repeat(2001) }],
  ])("%s is refused by the table itself", async (_what, change) => {
    const { error } = await staff
      .from("waiting_list")
      .insert({ course_id: await addDate(), name: "Ada", email: "ada@mail.example", ...change });
    expect(error?.code).toBe("23514");
  });

  test("clients cannot write the position or the editor of an entry", async () => {
    const id = await wait(await addDate(), "Ada");
    for (const client of [staff, project.service]) {
      for (const change of [{ position: 0 }, { updated_by: null }, { created_at: "2020-01-01" }]) {
        expect((await client.from("waiting_list").update(change).eq("id", id)).error?.code).toBe("42501");
      }
    }
    const called = await staff
      .from("waiting_list")
      .update({ called_at: "2029-12-01T09:00:00Z" })
      .eq("id", id)
      .select("updated_by")
      .single();
    expect(called.data).toEqual({ updated_by: staffId });
  });

  test("an edit of an outdated entry is refused, and a move does not make it outdated", async () => {
    const date = await addDate();
    const [id, other] = [await wait(date, "Ada"), await wait(date, "Ben")];
    const { data } = await staff.from("waiting_list").select("updated_at").eq("id", id).single();
    const edit = (note: string) => staff.from("waiting_list").update({ note }).eq("id", id).eq("updated_at", data?.updated_at).select("id");
    await move(other, true);
    expect((await edit("First")).data).toHaveLength(1);
    expect((await edit("Second")).data).toEqual([]);
  });

  test("only staff move and book entries", async () => {
    const date = await addDate();
    const entry = await wait(date, "Ada");
    expect((await project.visitor.rpc("book_waiting", { entry })).error?.code).toBe("42501");
    for (const client of [project.visitor, project.service]) {
      expect((await client.rpc("move_waiting", { entry, up: true })).error?.code).toBe("42501");
    }
    const anonymous = await project.bearer({ sub: staffId, role: "authenticated", aal: "aal1", is_anonymous: true });
    expect((await anonymous.rpc("move_waiting", { entry, up: true })).error?.code).toBe("42501");
    expect((await anonymous.rpc("book_waiting", { entry })).error).not.toBeNull();
    expect([await waitingNames(date), await booked(date)]).toEqual([["Ada"], []]);
  });
});
