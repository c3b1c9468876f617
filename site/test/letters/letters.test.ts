import { describeDatabases } from "backend/test/database.ts";
import { isLetterKind, letterKinds } from "content/letters.ts";
import { expect, test, vi } from "vitest";
import { lettersFixture, NOW } from "./letters-fixture.ts";

const EMAIL = "ada@mail.example";
const REMINDERS = ["reminder_week waiting", "reminder_day waiting"];
/** A time after the delay in which a mistake can be undone. */
const LATER = NOW.add({ minutes: 6 });

describeDatabases("letters", (open) => {
  const opened = lettersFixture(open);
  // Edge functions log a failed message to the console.
  vi.spyOn(console, "warn").mockImplementation(() => undefined);

  test("a booking with an e-mail address is confirmed once, with joining instructions and a calendar file", async () => {
    const { at, send, smtp, states, letters, received, book, addDate } = opened();
    await book(await addDate(), { email: EMAIL, name: "Ada <b>Fell", places: 2 });
    await send();
    expect(smtp.received).toEqual([]);
    await at(LATER);
    expect(await Promise.all([send(), send(), send()])).toEqual([200, 200, 200]);
    await send();
    expect(received()).toEqual([`${EMAIL}: Your booking: Manual Handling, Monday 7 January 2030`]);
    const raw = smtp.received[0]?.raw.replaceAll("=\r\n", "") ?? "";
    expect(raw).toContain("Dear Ada <b>Fell,");
    expect(raw).toContain("<p>Dear Ada &lt;b&gt;Fell,</p>");
    expect(raw).toMatch(/^Auto-Submitted: auto-generated/m);
    expect(raw).toContain("Packhorse Yard");
    expect(raw).toContain("filename=manual-handling.ics");
    expect(await states()).toEqual(["confirmation sent", ...REMINDERS]);
    const [sent] = await letters();
    expect(sent?.subject).toBe("Your booking: Manual Handling, Monday 7 January 2030");
    expect(raw).toContain(`Message-ID: <letter-${sent?.id}@`);
  });

  test("a booking without an address, or that wants no letters, gets none", async () => {
    const { states, book, addDate } = opened();
    const date = await addDate();
    await book(date, { phone: "01632 960 900" });
    await book(date, { email: EMAIL, letters: "off" });
    expect(await states()).toEqual([]);
  });

  test("a rolled back booking queues no letter", async () => {
    const { states, addDate, project } = opened();
    const date = await addDate();
    const aborted = project.database.transaction(async (tx) => {
      await tx.query("insert into public.bookings (course_id, name, email) values ($1, 'Ada', $2)", [date, EMAIL]);
      throw new Error("aborted");
    });
    await expect(aborted).rejects.toThrow("aborted");
    expect(await states()).toEqual([]);
  });

  test("the kinds and their fields are those of the default texts", async () => {
    const { data } = await opened().staff.from("letter_kinds").select("id, fields");
    expect(Object.fromEntries((data ?? []).map(({ id, fields }) => [id, fields.toSorted()]))).toEqual(
      Object.fromEntries(Object.entries(letterKinds).map(([id, { fields }]) => [id, fields.toSorted()])),
    );
    expect(data?.every(({ id }) => isLetterKind(id))).toBe(true);
  });
});
