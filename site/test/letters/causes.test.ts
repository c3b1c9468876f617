import { describeDatabases } from "backend/test/database.ts";
import { expect, test, vi } from "vitest";
import { lettersFixture, NOW, START } from "./letters-fixture.ts";

const EMAIL = "ada@mail.example";
const REMINDERS = ["reminder_week waiting", "reminder_day waiting"];
const LATER = NOW.add({ minutes: 6 });
const OTHER_START = "2030-02-04T09:00:00+00:00";

describeDatabases("the causes of letters", (open) => {
  const opened = lettersFixture(open);
  // Edge functions log a failed message to the console.
  vi.spyOn(console, "warn").mockImplementation(() => undefined);

  /** A booking whose confirmation was sent. */
  async function confirmed(): Promise<{ booking: string; date: string }> {
    const { book, addDate, at, send, smtp, sql } = opened();
    const date = await addDate();
    const booking = await book(date, { email: EMAIL });
    await at(LATER);
    await send();
    smtp.received.length = 0;
    await sql("delete from public.letters where state = 'sent'");
    return { booking, date };
  }

  async function change(table: string, id: string, values: object): Promise<void> {
    const { error } = await opened().staff.from(table).update(values).eq("id", id);
    if (error) throw error;
  }

  test("reminders are sent at 10:00 seven days and one day before, once each, and only in office hours", async () => {
    const { at, send, received, letters } = opened();
    await confirmed();
    expect((await letters()).map(({ due_at }) => Date.parse(due_at))).toEqual(
      ["2029-12-31T10:00Z", "2030-01-06T10:00Z"].map((iso) => Date.parse(iso)),
    );
    for (const [time, count] of [
      ["2029-12-31T09:59:00Z", 0],
      ["2029-12-31T18:30:00Z", 0],
      ["2030-01-01T08:00:00Z", 1],
      ["2030-01-06T10:00:00Z", 2],
      ["2030-01-06T10:05:00Z", 2],
    ] as const) {
      await at(time);
      await send();
      expect(received(), time).toHaveLength(count);
    }
    expect(received()[0]).toContain("Next week: Manual Handling");
    expect(received()[1]).toContain("Your course starts soon");
  });

  test("a booking made after the time of a reminder does not get it, and a past date gets no letter at all", async () => {
    const { at, book, addDate, states } = opened();
    await at("2030-01-02T12:00:00Z");
    await book(await addDate(), { email: EMAIL });
    await book(await addDate({ course_date: "2029-12-10T09:00Z" }), { email: EMAIL });
    expect(await states()).toEqual(["confirmation waiting", "reminder_day waiting"]);
  });

  test("a reminder that is late is withdrawn", async () => {
    const { at, send, states } = opened();
    await confirmed();
    await at("2030-01-07T09:00:00Z");
    await send();
    expect(await states()).toEqual(["reminder_week withdrawn expired", "reminder_day withdrawn expired"]);
  });

  test("a moved date causes letters to everybody booked, with both dates, and moves the reminders", async () => {
    const { at, send, states, received, smtp } = opened();
    const { date } = await confirmed();
    await change("course_dates", date, { course_date: OTHER_START });
    expect(await states()).toEqual(["moved waiting", "reminder_week withdrawn changed", "reminder_day withdrawn changed", ...REMINDERS]);
    await at(LATER.add({ minutes: 6 }));
    await send();
    expect(received()).toEqual([`${EMAIL}: New date: Manual Handling, Monday 4 February 2030`]);
    expect(smtp.received[0]?.raw.replaceAll("=\r\n", "")).toContain("It was Monday 7 January 2030, 09:00.");
  });

  test("a date that is moved back before the letter is sent causes no letter", async () => {
    const { states } = opened();
    const { date } = await confirmed();
    await change("course_dates", date, { course_date: OTHER_START });
    await change("course_dates", date, { course_date: START });
    expect((await states()).filter((state) => state.endsWith("waiting"))).toEqual(REMINDERS);
  });

  test("a booking that is moved before its confirmation is sent gets one letter, with the new date", async () => {
    const { at, book, addDate, send, received } = opened();
    const booking = await book(await addDate(), { email: EMAIL });
    await change("bookings", booking, { course_id: await addDate({ course_date: OTHER_START }) });
    await at(LATER);
    await send();
    expect(received()).toEqual([`${EMAIL}: Your booking: Manual Handling, Monday 4 February 2030`]);
  });

  test("a booking that is moved to another date causes a letter", async () => {
    const { addDate, states } = opened();
    const { booking } = await confirmed();
    await change("bookings", booking, { course_id: await addDate({ course_date: OTHER_START }) });
    expect(await states()).toContain("moved waiting");
  });

  test("a cancelled booking causes a letter, and gets no reminder", async () => {
    const { states } = opened();
    const { booking } = await confirmed();
    await change("bookings", booking, { status: "cancelled" });
    expect(await states()).toEqual(["cancelled waiting", "reminder_week withdrawn changed", "reminder_day withdrawn changed"]);
    // Cancelled by mistake.
    await change("bookings", booking, { status: "active" });
    expect((await states()).filter((state) => state.endsWith("waiting"))).toEqual(REMINDERS);
  });

  test("a booking cancelled before its confirmation is sent gets no letter", async () => {
    const { book, addDate, states } = opened();
    const booking = await book(await addDate(), { email: EMAIL });
    await change("bookings", booking, { status: "cancelled" });
    expect((await states()).filter((state) => state.endsWith("waiting"))).toEqual([]);
  });

  test("a date that is called off causes letters to its bookings, unless it is opened again first", async () => {
    const { states, at, send, received } = opened();
    const { date } = await confirmed();
    await change("course_dates", date, { status: "cancelled" });
    expect((await states()).filter((state) => state.endsWith("waiting"))).toEqual(["called_off waiting"]);
    await change("course_dates", date, { status: "open" });
    expect((await states()).filter((state) => state.endsWith("waiting"))).toEqual(REMINDERS);
    await change("course_dates", date, { status: "cancelled" });
    await at(LATER.add({ minutes: 6 }));
    await send();
    expect(received()).toEqual([`${EMAIL}: Called off: Manual Handling, Monday 7 January 2030`]);
  });

  test("a deleted booking has no letters; a restored one has its unsent letters, and is not confirmed again", async () => {
    const { book, addDate, at, send, states, remove, staff, sql } = opened();
    const booking = await book(await addDate(), { email: EMAIL });
    async function deleteAndRestore(): Promise<void> {
      await remove("bookings", booking);
      expect(await states()).toEqual([]);
      // The change log has the real time.
      await sql(`update public.changes set at = '${LATER.toString()}'`);
      expect((await staff.rpc("undo_delete", { kind: "bookings", record_id: booking })).error).toBeNull();
    }
    await deleteAndRestore();
    expect(await states()).toEqual(["confirmation waiting", ...REMINDERS]);
    await at(LATER);
    await send();
    await deleteAndRestore();
    expect(await states()).toEqual(REMINDERS);
  });

  test("a booking whose address is corrected is confirmed to the new address", async () => {
    const { at, send, received } = opened();
    const { booking } = await confirmed();
    await change("bookings", booking, { email: "ada.fell@mail.example" });
    await at(LATER.add({ minutes: 6 }));
    await send();
    expect(received()).toEqual([expect.stringContaining("ada.fell@mail.example: Your booking")]);
    await change("bookings", booking, { letters: "off" });
    expect((await opened().states()).filter((state) => state.endsWith("waiting"))).toEqual([]);
  });

  test("a free place causes a letter to the first on the waiting list whose places fit, unless it is taken first", async () => {
    const { addDate, book, add, states, at, send, received } = opened();
    const date = await addDate({ capacity: 2 });
    const booking = await book(date, { places: 2 });
    await add("waiting_list", { course_id: date, name: "Three", places: 3, email: "three@mail.example" });
    await add("waiting_list", { course_id: date, name: "Bea", email: "bea@mail.example" });
    await add("waiting_list", { course_id: date, name: "Cy", email: "cy@mail.example" });
    await change("bookings", booking, { places: 1 });
    expect(await states()).toEqual(["place_free waiting"]);
    await change("bookings", booking, { places: 2 });
    expect(await states()).toEqual(["place_free withdrawn changed"]);
    await change("bookings", booking, { places: 1 });
    await at(LATER);
    await send();
    expect(received()).toEqual(["bea@mail.example: A place is free: Manual Handling, Monday 7 January 2030"]);
  });

  test("a free place is offered to nobody by letter if the first who fits has no address", async () => {
    const { addDate, book, add, states } = opened();
    const date = await addDate({ capacity: 1 });
    const booking = await book(date);
    await add("waiting_list", { course_id: date, name: "Ann", phone: "01632 960 900" });
    await add("waiting_list", { course_id: date, name: "Bea", email: "bea@mail.example" });
    await change("bookings", booking, { status: "cancelled" });
    expect(await states()).toEqual([]);
  });

  test("an enquiry from the website is acknowledged without a word of the visitor, three times a day to one address", async () => {
    const { project, send, received, smtp, add, states } = opened();
    const spam = { name: "Buy watches", reply_to: "victim@mail.example", message: "http://spam.example", course_name: "Cheap watches" };
    for (let number = 0; number < 4; number += 1) await project.service.rpc("send_enquiry", { id: crypto.randomUUID(), ...spam });
    await add("enquiries", { ...spam, reply_to: "phoned@mail.example" });
    await project.service.rpc("send_enquiry", { id: crypto.randomUUID(), ...spam, reply_to: "01632 960 900" });
    await send();
    expect(received()).toEqual(Array.from({ length: 3 }, () => "victim@mail.example: We have your enquiry"));
    expect(smtp.received.map(({ raw }) => raw).join("\n")).not.toMatch(/watches|spam/i);
    expect(await states()).toHaveLength(3);
  });

  test("a kind that is switched off is not sent, also if its letters were queued before", async () => {
    const { staff, send, at, book, addDate, states, received } = opened();
    await book(await addDate(), { email: EMAIL });
    await staff.from("letter_kinds").update({ sending: "off" }).eq("id", "confirmation");
    await at(LATER);
    await send();
    expect(received()).toEqual([]);
    expect(await states()).toEqual(["confirmation withdrawn switched_off", ...REMINDERS]);
    await book(await addDate(), { email: "bea@mail.example" });
    expect((await states()).filter((state) => state.startsWith("confirmation"))).toHaveLength(1);
  });

  test("staff write their own text, with the known fields only", async () => {
    const { staff, send, at, book, addDate, received } = opened();
    const set = (values: object) => staff.from("letter_kinds").update(values).eq("id", "confirmation");
    expect((await set({ subject: "Booked: {course}" })).error).toBeNull();
    for (const body of ["Hello {nam}", "Hello {name", "Hello name}"]) expect((await set({ body })).error?.code, body).toBe("23514");
    expect((await staff.from("letter_kinds").update({ body: "Dear {name}" }).eq("id", "acknowledgement")).error?.code).toBe("23514");
    await book(await addDate(), { email: EMAIL });
    await at(LATER);
    await send();
    expect(received()).toEqual([`${EMAIL}: Booked: Manual Handling`]);
  });

  test("retention deletes old letters and leaves those that wait", async () => {
    const { project, sql, states } = opened();
    await confirmed();
    await sql("update public.letters set created_at = created_at - interval '13 months'");
    await sql("update public.letters set state = 'sent', sent_at = created_at where kind = 'reminder_week'");
    const { data } = await project.service.rpc("apply_retention");
    expect(data).toMatchObject({ letters: 1 });
    expect(await states()).toEqual(["reminder_day waiting"]);
  });
});
