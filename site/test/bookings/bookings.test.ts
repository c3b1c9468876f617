import type { SupabaseClient } from "@supabase/supabase-js";
import { describeDatabases } from "backend/test/database.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { sendIntoLock } from "../support/at-the-same-time.ts";
import type { Project } from "../support/project.ts";
import { openStaffProject, type StaffProject } from "../support/staff-project.ts";

interface Answer {
  error: unknown;
}

describeDatabases("bookings", (open) => {
  let office: StaffProject;
  let project: Project;
  let staff: SupabaseClient;
  let staffId: string;
  beforeAll(async () => {
    office = await openStaffProject(open);
    ({ project, staff, staffId } = office);
  });

  const addDate = (capacity: number): Promise<string> => office.addDate({ capacity });
  const book = (dateId: string, values: object = {}): Promise<string> => office.book(dateId, values);

  /** The places taken and left that a visitor sees. */
  async function places(id: string): Promise<[number, number]> {
    const { data, error } = await project.visitor.from("course_dates").select("places_taken, places_left").eq("id", id).single();
    if (error) throw error;
    return [data.places_taken, data.places_left];
  }

  test("of fifty concurrent bookings of the last place, one succeeds", async () => {
    const date = await addDate(2);
    await book(date);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, number) => staff.from("bookings").insert({ course_id: date, name: `Caller ${number}` })),
    );
    expect(answers.filter(({ error }) => error === null)).toHaveLength(1);
    const refusals = answers.flatMap(({ error, status }) => (error ? [`${status} ${error.code} ${error.details}`] : []));
    expect(new Set(refusals)).toEqual(new Set(["409 PT409 0"]));
    expect(await places(date)).toEqual([2, 0]);
  });

  test("concurrent moves in opposite directions succeed, and every place is counted", async () => {
    const [one, two] = [await addDate(40), await addDate(40)];
    const there = await Promise.all(Array.from({ length: 10 }, () => book(one)));
    const back = await Promise.all(Array.from({ length: 10 }, () => book(two)));
    const moves = [...there.map((id) => ({ id, to: two })), ...back.map((id) => ({ id, to: one }))];
    const answers = await Promise.all(moves.map(({ id, to }) => staff.from("bookings").update({ course_id: to }).eq("id", id)));
    expect(answers.filter(({ error }) => error)).toEqual([]);
    expect([await places(one), await places(two)]).toEqual([
      [10, 30],
      [10, 30],
    ]);
  });

  test.each<[string, (date: string, other: string) => PromiseLike<Answer>, (id: string) => PromiseLike<Answer>]>([
    [
      "called off while its bookings are cancelled",
      (date_id, move_to) => staff.rpc("call_off_date", { date_id, move_to }),
      (id) => staff.from("bookings").update({ status: "cancelled" }).eq("id", id),
    ],
    [
      "cancelled while its bookings are deleted",
      (date) => staff.from("course_dates").update({ status: "cancelled" }).eq("id", date),
      (id) => staff.from("bookings").delete().eq("id", id),
    ],
  ])("a date that is %s: all succeed, although they lock the records in opposite orders", async (_what, changeDate, changeBooking) => {
    const [date, other] = [await addDate(4), await addDate(4)];
    const ids = await Promise.all(Array.from({ length: 2 }, () => book(date, { email: "ada@mail.example" })));
    const answers = await sendIntoLock(project.database, `select from public.course_dates where id = '${date}' for no key update`, [
      () => changeDate(date, other),
      ...ids.map((id) => () => changeBooking(id)),
    ]);
    expect(answers.map(({ error }) => error)).toEqual(answers.map(() => null));
    expect(await places(date)).toEqual([0, 4]);
  });

  test("every change of a booking updates the places of its date", async () => {
    const [date, other] = [await addDate(6), await addDate(6)];
    const id = await book(date, { places: 4 });
    const change = async (values: object): Promise<string | undefined> =>
      (await staff.from("bookings").update(values).eq("id", id)).error?.code;
    expect(await places(date)).toEqual([4, 2]);
    expect(await change({ places: 7 })).toBe("PT409");
    expect(await change({ places: 6 })).toBeUndefined();
    expect(await places(date)).toEqual([6, 0]);
    expect(await change({ course_id: other, places: 5 })).toBeUndefined();
    expect([await places(date), await places(other)]).toEqual([
      [0, 6],
      [5, 1],
    ]);
    expect(await change({ status: "cancelled" })).toBeUndefined();
    expect(await places(other)).toEqual([0, 6]);
    await book(other, { places: 3 });
    expect(await change({ status: "active" })).toBe("PT409");
    expect(await change({ status: "active", places: 3 })).toBeUndefined();
    await staff.from("bookings").delete().eq("id", id);
    expect(await places(other)).toEqual([3, 3]);
  });

  test("all bookings of a date move together or not at all", async () => {
    const [full, small, large] = [await addDate(5), await addDate(4), await addDate(5)];
    await Promise.all(Array.from({ length: 5 }, () => book(full)));
    const moveAll = async (to: string): Promise<string | undefined> =>
      (await staff.from("bookings").update({ course_id: to }).eq("course_id", full).eq("status", "active")).error?.code;
    expect(await moveAll(small)).toBe("PT409");
    expect([await places(full), await places(small)]).toEqual([
      [5, 0],
      [0, 4],
    ]);
    expect(await moveAll(large)).toBeUndefined();
    expect([await places(full), await places(large)]).toEqual([
      [0, 5],
      [5, 0],
    ]);
  });

  test("a capacity below the booked places is refused with their number", async () => {
    const date = await addDate(3);
    await book(date, { places: 2 });
    const lower = await staff.from("course_dates").update({ capacity: 1 }).eq("id", date);
    expect(lower.error).toMatchObject({ code: "PT409", details: "2" });
    expect((await staff.from("course_dates").update({ capacity: 2 }).eq("id", date)).error).toBeNull();
  });

  test("a date with a booking, even a cancelled one, cannot be deleted", async () => {
    const date = await addDate(3);
    await book(date, { status: "cancelled" });
    expect(await places(date)).toEqual([0, 3]);
    // PostgreSQL 18 has a separate code for RESTRICT.
    expect((await staff.from("course_dates").delete().eq("id", date)).error?.code).toBeOneOf(["23503", "23001"]);
  });

  test("clients cannot write the booked places of a date or the editor of a booking", async () => {
    const date = await addDate(3);
    const id = await book(date);
    for (const client of [staff, project.service]) {
      expect((await client.from("course_dates").update({ places_taken: 0 }).eq("id", date)).error?.code).toBe("42501");
      expect((await client.from("bookings").update({ updated_by: null }).eq("id", id)).error?.code).toBe("42501");
    }
    const { data } = await staff.from("bookings").select("updated_by").eq("id", id).single();
    expect(data).toEqual({ updated_by: staffId });
  });

  test("every change of a booking sets updated_at", async () => {
    const id = await book(await addDate(3));
    const read = async (): Promise<string> => (await staff.from("bookings").select("updated_at").eq("id", id).single()).data?.updated_at;
    const before = await read();
    await staff.from("bookings").update({ note: "Rang" }).eq("id", id).eq("updated_at", before);
    expect(await read()).not.toBe(before);
    const late = await staff.from("bookings").update({ note: "Late" }).eq("id", id).eq("updated_at", before).select("id");
    expect(late.data).toEqual([]);
  });

  test.each([
    ["a name of spaces", { name: "  " }],
    ["an e-mail without @", { email: "ada" }],
    ["a phone number without digits", { phone: "ask her" }],
    ["an empty company", { company: "" }],
    ["no places", { places: 0 }],
    ["an unknown payment status", { payment_status: "soon" }],
    ["a payment without a method", { payment_status: "paid" }],
    ["a payment by cheque", { payment_method: "cheque" }],
    ["an unknown status", { status: "maybe" }],
    ["a note that is too long", { note: "a".repeat(2001) }],
  ])("%s is refused by the table itself", async (_what, change) => {
    const date = await addDate(3);
    const { error } = await staff.from("bookings").insert({ course_id: date, name: "Ada", ...change });
    expect(error?.code).toBe("23514");
    expect(await places(date)).toEqual([0, 3]);
  });

  describe("finding a person", () => {
    beforeAll(async () => {
      const date = await addDate(9);
      const person = { name: "Áine O'Brien-Smith", email: "aine@mail.example", phone: "07700 900 123", company: "Fell & Sons" };
      await book(date, person);
      await book(date, person);
      await book(date, { name: "Aidan Fell" });
      await book(date, { name: "Nora ONeill", phone: "+44 (0)20 7946 0456" });
      await book(date, { name: "Luc Petit", phone: "0033 1 23 45 67 89" });
    });

    test.each([
      ["smith", ["Áine O'Brien-Smith"]],
      ["FELL sons", ["Áine O'Brien-Smith"]],
      ["aine@mail", ["Áine O'Brien-Smith"]],
      ["07700900", ["Áine O'Brien-Smith"]],
      ["07700 900 12", ["Áine O'Brien-Smith"]],
      ["aid", ["Aidan Fell"]],
      ["obrien", ["Áine O'Brien-Smith"]],
      ["o’brien", ["Áine O'Brien-Smith"]],
      ["o brien", ["Áine O'Brien-Smith"]],
      ["O'Neill", ["Nora ONeill"]],
      ["+44 7700 900123", ["Áine O'Brien-Smith"]],
      ["0044 7700 900 123", ["Áine O'Brien-Smith"]],
      ["+44 (0) 7700 900123", ["Áine O'Brien-Smith"]],
      ["7700 900123", ["Áine O'Brien-Smith"]],
      ["020 7946 0456", ["Nora ONeill"]],
      ["442079460456", ["Nora ONeill"]],
      ["+33 1 23 45", ["Luc Petit"]],
      ["+", []],
      ["00", []],
      ["nobody", []],
      ["", []],
      [" ' & | ! :* ", []],
    ])("by %j gives %j", async (words, names) => {
      const { data, error } = await staff.rpc("find_people", { words });
      expect(error).toBeNull();
      expect(data.map(({ name }: { name: string }) => name)).toEqual(names);
    });

    test.each([
      ["aid", "2030-01-08", ["Aidan Fell"]],
      ["+44 7700 900123", "2030-01-08", ["Áine O'Brien-Smith", "Áine O'Brien-Smith"]],
      ["aid", "2030-01-07T09:00:00Z", []],
    ])("by %j among the dates before %s gives the bookings of %j", async (words, before, names) => {
      const { data, error } = await staff.rpc("search_bookings", { words, before });
      expect(error).toBeNull();
      expect(data.map(({ name }: { name: string }) => name)).toEqual(names);
      for (const { course_dates } of data) expect(course_dates).toMatchObject({ course_name: "Manual Handling", capacity: 9 });
    });

    test("with a hundred thousand words does not crash the database", async () => {
      expect((await staff.rpc("find_people", { words: "a ".repeat(100_000) })).error).toBeNull();
    });

    test("is only for staff", async () => {
      expect((await project.visitor.rpc("find_people", { words: "a" })).error?.code).toBe("42501");
      expect((await project.service.rpc("find_people", { words: "a" })).error?.code).toBe("42501");
    });
  });
});
