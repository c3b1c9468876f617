import { describeDatabases } from "backend/test/database.ts";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { noon, setClock } from "../support/clock.ts";
import { openStaffProject, type StaffProject } from "../support/staff-project.ts";

interface Booked {
  booking: string;
  date: string;
}

/** Days relative to the first day of the oldest financial year that is not deleted. */
interface Times {
  taken: number;
  starts: number;
  ends?: number;
}

/** A booking made and a course run before that day. */
const OVER: Times = { taken: -30, starts: -1 };

describeDatabases("retention of bookings", (open, kind) => {
  let staffProject: StaffProject;
  beforeAll(async () => {
    staffProject = await openStaffProject(open);
    await setClock(staffProject.project, noon());
  });
  beforeEach(() => staffProject.empty());

  async function book(values: object = {}): Promise<Booked> {
    const date = await staffProject.addDate();
    return { date, booking: await staffProject.book(date, values) };
  }

  async function moveToPast({ booking, date }: Booked, { taken, starts, ends }: Times): Promise<void> {
    await staffProject.sql(`
      update public.bookings set created_at = ${at(taken)} where id = '${booking}';
      update public.course_dates set course_date = ${at(starts)}, end_date = ${ends === undefined ? "null" : `'${dayAfter(ends)}'`}
      where id = '${date}';
    `);
  }

  async function applyRetention(): Promise<void> {
    const { error } = await staffProject.project.service.rpc("apply_retention");
    if (error) throw error;
  }

  async function exists({ booking }: Booked): Promise<boolean> {
    const { data, error } = await staffProject.staff.from("bookings").select("id").eq("id", booking);
    if (error) throw error;
    return data.length === 1;
  }

  test.each<[exists: boolean, what: string, times: Times]>([
    [false, "made and run in the year before", { taken: -30, starts: -1 }],
    [false, "whose course ended on its last day", { taken: -30, starts: -5, ends: -1 }],
    [false, "that are much older", { taken: -900, starts: -800 }],
    [true, "of a course on the first day", { taken: -30, starts: 0 }],
    [true, "of a course that ran into the year", { taken: -30, starts: -5, ends: 0 }],
    [true, "that were made after the course ran", { taken: 0, starts: -30 }],
    [true, "made and run six years later", { taken: 6 * 365, starts: 6 * 365 }],
  ])("exists afterwards: %s, for bookings %s", async (expected, _what, times) => {
    const old = await book();
    await moveToPast(old, times);
    await applyRetention();
    expect(await exists(old)).toBe(expected);
  });

  test("deletes cancelled and paid bookings too, and frees their places; the date stays", async () => {
    const old = [
      await book({ places: 3 }),
      await book({ status: "cancelled" }),
      await book({ payment_status: "paid", payment_method: "card" }),
    ];
    for (const each of old) await moveToPast(each, OVER);
    await applyRetention();
    for (const each of old) {
      expect(await exists(each)).toBe(false);
      const { data } = await staffProject.staff.from("course_dates").select("places_taken").eq("id", each.date);
      expect(data).toEqual([{ places_taken: 0 }]);
    }
  });

  test("deletes bookings without an entry in the change log", async () => {
    const old = await book({ name: "Rowan Tarn" });
    await moveToPast(old, OVER);
    await staffProject.sql("truncate public.changes");
    await applyRetention();
    expect(await staffProject.changesOf(old.booking)).toEqual([]);
    const { data } = await staffProject.staff.from("changes").select("act, about");
    expect(JSON.stringify(data)).not.toContain("Rowan Tarn");
    expect(data).toEqual([]);
    const { error } = await staffProject.staff.rpc("undo_delete", { kind: "bookings", record_id: old.booking });
    expect(error?.code).toBe("PT404");
    // A deletion by staff is still logged.
    const { booking } = await book();
    await staffProject.remove("bookings", booking);
    expect((await staffProject.changesOf(booking)).map(({ act }) => act)).toEqual(["insert", "delete"]);
  });

  test("deletes the enquiry of a deleted booking", async () => {
    const { service } = staffProject.project;
    const enquiry = await staffProject.add("enquiries", { name: "Ada", reply_to: "ada@mail.example", message: "When?" }, service);
    const old = await book({ enquiry_id: enquiry });
    await moveToPast(old, OVER);
    await staffProject.sql(`update public.enquiries set created_at = ${at(-40)} where id = '${enquiry}'`);
    await applyRetention();
    expect(await exists(old)).toBe(false);
    await applyRetention();
    expect((await staffProject.staff.from("enquiries").select("id").eq("id", enquiry)).data).toEqual([]);
  });

  // The embedded database has one session.
  test.skipIf(kind === "pglite")("leaves a booking whose date is locked to the next run", async () => {
    const [used, other] = [await book(), await book()];
    for (const each of [used, other]) await moveToPast(each, OVER);
    const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const using = staffProject.project.database.transaction(async (tx) => {
      await tx.query("select from public.course_dates where id = $1 for update", [used.date]);
      held.resolve();
      await released.promise;
    });
    await held.promise;
    await applyRetention();
    expect([await exists(used), await exists(other)]).toEqual([true, false]);
    released.resolve();
    await using;
    await applyRetention();
    expect(await exists(used)).toBe(false);
  });
});

/** The first day of the oldest financial year that is not deleted: six years before the current one began. */
function firstDay(): Temporal.PlainDate {
  const today = noon().toZonedDateTimeISO("Europe/London");
  const year = today.month >= 4 ? today.year : today.year - 1;
  return Temporal.PlainDate.from({ year: year - 6, month: 4, day: 1 });
}

function dayAfter(days: number): string {
  return firstDay().add({ days }).toString();
}

/** 09:00 in London on that day as SQL; 00:00 for day 0. */
function at(days: number): string {
  return `'${dayAfter(days)}T${days === 0 ? "00:00" : "09:00"}'::timestamp at time zone 'Europe/London'`;
}
