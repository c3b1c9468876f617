import { describeDatabases } from "backend/test/database.ts";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { openOffice, type Office } from "./office.ts";

interface Booked {
  booking: string;
  date: string;
}

/** What decides how long a booking is kept: days counted from the first day of the oldest financial year that is kept. */
interface Times {
  taken: number;
  starts: number;
  ends?: number;
}

/** Taken and over before that day. */
const OVER: Times = { taken: -30, starts: -1 };

describeDatabases("bookings of long ago", (open, kind) => {
  let office: Office;
  beforeAll(async () => {
    office = await openOffice(open);
  });
  beforeEach(() => office.empty());

  async function book(values: object = {}): Promise<Booked> {
    const date = await office.addDate();
    return { date, booking: await office.book(date, values) };
  }

  async function turnBack({ booking, date }: Booked, { taken, starts, ends }: Times): Promise<void> {
    await office.sql(`
      update public.bookings set created_at = ${at(taken)} where id = '${booking}';
      update public.course_dates set course_date = ${at(starts)}, end_date = ${ends === undefined ? "null" : `'${dayAfter(ends)}'`}
      where id = '${date}';
    `);
  }

  async function isKept({ booking }: Booked): Promise<boolean> {
    const { data, error } = await office.staff.from("bookings").select("id").eq("id", booking);
    if (error) throw error;
    return data.length === 1;
  }

  test.each<[kept: boolean, what: string, times: Times]>([
    [false, "taken and run in the year before", { taken: -30, starts: -1 }],
    [false, "whose course ended on its last day", { taken: -30, starts: -5, ends: -1 }],
    [false, "that are much older", { taken: -900, starts: -800 }],
    [true, "of a course on the first day", { taken: -30, starts: 0 }],
    [true, "of a course that ran into the year", { taken: -30, starts: -5, ends: 0 }],
    [true, "that were taken down later than the course ran", { taken: 0, starts: -30 }],
    [true, "of last week", { taken: 6 * 365, starts: 6 * 365 }],
  ])("are kept: %s, where they are ones %s", async (kept, _what, times) => {
    const old = await book();
    await turnBack(old, times);
    await book();
    expect(await isKept(old)).toBe(kept);
  });

  test("go whether they were cancelled, paid or not, and free their places; the date stays", async () => {
    const old = [
      await book({ places: 3 }),
      await book({ status: "cancelled" }),
      await book({ payment_status: "paid", payment_method: "card" }),
    ];
    for (const each of old) await turnBack(each, OVER);
    await book();
    for (const each of old) {
      expect(await isKept(each)).toBe(false);
      const { data } = await office.staff.from("course_dates").select("places_taken").eq("id", each.date);
      expect(data).toEqual([{ places_taken: 0 }]);
    }
  });

  test("go when somebody visits the site, where nobody books for weeks", async () => {
    const old = await book();
    await turnBack(old, OVER);
    await office.sql("delete from private.view_salts");
    expect((await office.project.service.rpc("record_page_views", { sums: [], sessions: [crypto.randomUUID()] })).error).toBeNull();
    expect(await isKept(old)).toBe(false);
  });

  test("leave nothing behind in the trail, and do not count as deleted by whoever booked next", async () => {
    const old = await book({ name: "Rowan Tarn" });
    await turnBack(old, OVER);
    await office.sql("truncate public.trail");
    await book();
    expect(await office.trailOf(old.booking)).toEqual([]);
    const { data } = await office.staff.from("trail").select("act, about");
    expect(JSON.stringify(data)).not.toContain("Rowan Tarn");
    expect(data?.map(({ act }) => act)).toEqual(["insert", "insert"]);
    const { error } = await office.staff.rpc("undo_delete", { kind: "bookings", record_id: old.booking });
    expect(error?.code).toBe("PT404");
    // What staff delete themselves is recorded as ever.
    const { booking } = await book();
    await office.remove("bookings", booking);
    expect((await office.trailOf(booking)).map(({ act }) => act)).toEqual(["insert", "delete"]);
  });

  test("take the enquiry they came of with them", async () => {
    const { service } = office.project;
    const asked = await office.add("enquiries", { name: "Ada", reply_to: "ada@mail.example", message: "When?" }, service);
    const old = await book({ enquiry_id: asked });
    await turnBack(old, OVER);
    await office.sql(`update public.enquiries set created_at = ${at(-40)} where id = '${asked}'`);
    await book();
    expect(await isKept(old)).toBe(false);
    await book();
    expect((await office.staff.from("enquiries").select("id").eq("id", asked)).data).toEqual([]);
  });

  // The embedded database has one session: nobody else is there.
  test.skipIf(kind === "pglite")("are in nobody's way: one whose date is in use is left to the next time", async () => {
    const [used, other] = [await book(), await book()];
    for (const each of [used, other]) await turnBack(each, OVER);
    const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const using = office.project.database.transaction(async (tx) => {
      await tx.query("select from public.course_dates where id = $1 for update", [used.date]);
      held.resolve();
      await released.promise;
    });
    await held.promise;
    await book();
    expect([await isKept(used), await isKept(other)]).toEqual([true, false]);
    released.resolve();
    await using;
    await book();
    expect(await isKept(used)).toBe(false);
  });
});

/** The first day of the oldest financial year that is kept: six of them lie behind it, the running one not counted. */
function firstDay(): Temporal.PlainDate {
  const today = Temporal.Now.plainDateISO("Europe/London");
  const year = today.month >= 4 ? today.year : today.year - 1;
  return Temporal.PlainDate.from({ year: year - 6, month: 4, day: 1 });
}

function dayAfter(days: number): string {
  return firstDay().add({ days }).toString();
}

/** Nine in the morning of that day in Britain, as SQL; of the day 0 its very beginning. */
function at(days: number): string {
  return `'${dayAfter(days)}T${days === 0 ? "00:00" : "09:00"}'::timestamp at time zone 'Europe/London'`;
}
