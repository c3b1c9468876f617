import { beforeEach, describe, expect, test } from "vitest";
import { listBookableDates } from "../../app/portal/bookable-dates/bookable-date.ts";
import { cancelBooking, deleteBooking } from "../../app/portal/bookings/end-booking.ts";
import { enquiryToBook } from "../../app/portal/bookings/enquiry-booking.ts";
import { bookingFields, paymentInWords } from "../../app/portal/bookings/fields.ts";
import { addBooking } from "../../app/portal/bookings/queries.ts";
import { saveBooking } from "../../app/portal/bookings/save-booking.ts";
import { moveAll } from "../../app/portal/bookings/move-all.ts";
import { formValues } from "../../app/portal/forms/fields.ts";
import { textOf } from "../../app/portal/forms/form-text.ts";
import { withAnswer } from "../../app/portal/forms/question.ts";
import { startEdit } from "../../app/portal/records/save-record.ts";
import { listedBookings, storedBooking } from "./bookings-fixture.ts";
import { formOf, portalProject } from "./portal-fixture.ts";

const project = portalProject();
let date: string;
beforeEach(async () => {
  await project().empty();
  date = await project().addDate();
});

function filledIn(changes: Record<string, string> = {}): FormData {
  return formOf({ course_id: date, name: "Ada", places: "1", payment_status: "due", ...changes });
}

describe("adding a booking", () => {
  test("stores the fields, empty ones as null", async () => {
    expect(await addBooking(project().staff, filledIn())).toMatchObject({ ok: true, message: "Booking added for Ada." });
    expect(await listedBookings(project())).toMatchObject([
      { name: "Ada", places: 1, email: null, phone: null, company: null, payment_status: "due", payment_method: null, status: "active" },
    ]);
  });

  test.each([
    ["name", " "],
    ["name", "x".repeat(121)],
    ["course_id", ""],
    ["places", "0"],
    ["places", "1.5"],
    ["places", "1000"],
    ["phone", "call her"],
    ["phone", "1".repeat(41)],
    ["email", "ada"],
    ["email", `${"a".repeat(250)}@b.uk`],
    ["company", "x".repeat(121)],
    ["payment_status", "later"],
    ["payment_method", "shells"],
    ["note", "x".repeat(2001)],
  ])("refuses %s %j at its field", async (field, value) => {
    expect(await addBooking(project().staff, filledIn({ [field]: value }))).toMatchObject({ ok: false, field });
  });

  test.each([
    [{ phone: "+44 7700 900123" }, { name: "ada fell", phone: "07700 900 123" }, true],
    [{ email: "Ada@mail.example" }, { email: "ada@mail.example" }, true],
    [{}, {}, false],
    [{ phone: "07700 900 123" }, { phone: "07700 900 124" }, false],
    [{ phone: "07700 900 123" }, {}, false],
    [{ phone: "07700 900 123" }, { name: "Ben Fell", phone: "07700 900 123" }, false],
    [{ phone: "07700 900 123", status: "cancelled" }, { phone: "07700 900 123" }, false],
  ])("asks before a person is booked twice on a date: %j, then %j", async (first, second, asks) => {
    await project().book(date, { name: "Ada Fell", ...first });
    const form = filledIn({ name: "Ada Fell", ...second });
    const outcome = await addBooking(project().staff, form);
    if (!asks) return expect(outcome).toMatchObject({ ok: true });
    const message = `${textOf(form, "name")} is already booked on this date. Book again?`;
    expect(outcome).toEqual({ ok: false, message, confirm: "Book again" });
    expect(await listedBookings(project())).toHaveLength(1);
    expect(await addBooking(project().staff, withAnswer(form, message))).toMatchObject({ ok: true });
    expect(await listedBookings(project())).toHaveLength(2);
  });

  test("asks before a booking is moved to a date on which the person is booked", async () => {
    const later = await project().addDate({ course_date: "2030-02-07T09:00:00Z" });
    const phone = "07700 900 123";
    await project().book(later, { name: "Ada", phone });
    const booking = await storedBooking(project(), date, { phone });
    const form = formOf({ ...formValues(bookingFields, booking), course_id: later });
    expect(await saveBooking(project().staff, startEdit(booking), form)).toMatchObject({ ok: false, confirm: "Book again" });
    form.set("course_id", date);
    form.set("note", "Vegetarian");
    expect(await saveBooking(project().staff, startEdit(booking), form)).toMatchObject({ ok: true });
  });

  test("asks how a paid booking was paid", async () => {
    expect(await addBooking(project().staff, filledIn({ payment_status: "paid" }))).toMatchObject({ field: "payment_method" });
    expect(await addBooking(project().staff, filledIn({ payment_status: "paid", payment_method: "card" }))).toMatchObject({ ok: true });
    expect((await listedBookings(project())).map(paymentInWords)).toEqual(["Paid, card"]);
  });

  test("accepts values up to the length that the database accepts", async () => {
    await project().staff.from("course_dates").update({ capacity: 999 }).eq("id", date);
    const form = filledIn({
      name: "é".repeat(120),
      places: "999",
      phone: "1".repeat(40),
      email: `${"a".repeat(249)}@b.uk`,
      company: "é".repeat(120),
      note: "é".repeat(2000),
    });
    expect(await addBooking(project().staff, form)).toMatchObject({ ok: true });
  });

  test("explains why the date does not accept it, and offers the waiting list of a full one", async () => {
    await project().book(date, { places: 2 });
    expect(await addBooking(project().staff, filledIn({ places: "3" }))).toMatchObject({
      confirm: "Add to the waiting list",
      message: "Only 2 places are left on that date. Book fewer places, or add Ada to its waiting list.",
    });
    await project().book(date, { places: 2 });
    expect(await addBooking(project().staff, filledIn())).toMatchObject({
      confirm: "Add to the waiting list",
      message: expect.stringMatching(/is full/),
    });
    const cancelled = await project().addDate({ status: "cancelled" });
    expect(await addBooking(project().staff, filledIn({ course_id: cancelled }))).toMatchObject({
      field: "course_id",
      message: expect.stringMatching(/is cancelled/),
    });
    expect(await addBooking(project().staff, filledIn({ course_id: "0d1f5f0e-7a55-4b7c-9f0a-3f2f3c1c9a01" }))).toMatchObject({
      field: "course_id",
      message: expect.stringMatching(/was deleted/),
    });
    expect(await addBooking(project().project.visitor, filledIn())).toMatchObject({
      message: expect.stringMatching(/^Failed to add booking: /),
    });
  });
});

describe("a booking that answers an enquiry", () => {
  const addEnquiry = () =>
    project().add("enquiries", { name: "Ada", reply_to: "ada@mail.example", course_name: "Manual Handling", message: "When?" });
  const open = async (id: string) => {
    const dates = await listBookableDates(project().staff, { since: "2020-01-01T00:00:00Z" });
    return enquiryToBook(project().staff, id, dates.ok ? dates.rows : [], Date.now());
  };

  test("begins with the customer and the next date of the course with a free place", async () => {
    const earlier = await project().addDate({ course_date: "2029-12-01T09:00:00Z", capacity: 1 });
    const id = await addEnquiry();
    expect(await open(id)).toMatchObject({ id, begin: { name: "Ada", email: "ada@mail.example", course_id: earlier } });
    await project().book(earlier);
    expect(await open(id)).toMatchObject({ begin: { course_id: date } });
  });

  test("is booked once, unless that booking is cancelled", async () => {
    const id = await addEnquiry();
    expect(await addBooking(project().staff, filledIn(), id)).toMatchObject({ ok: true });
    expect(await listedBookings(project())).toMatchObject([{ enquiry_id: id }]);
    expect(await open(id)).toBeNull();
    expect(await addBooking(project().staff, filledIn(), id)).toMatchObject({
      ok: false,
      next: { to: `/admin/enquiries?open=${id}` },
    });
    const [booking] = await listedBookings(project());
    await cancelBooking(project().staff, booking?.id ?? "");
    expect(await open(id)).toMatchObject({ id });
    expect(await addBooking(project().staff, filledIn(), id)).toMatchObject({ ok: true });
  });

  test("is added without the enquiry if that was deleted", async () => {
    const id = await addEnquiry();
    await project().remove("enquiries", id);
    expect(await addBooking(project().staff, filledIn(), id)).toMatchObject({ ok: true });
    expect(await listedBookings(project())).toMatchObject([{ enquiry_id: null }]);
  });
});

test("saving names the date that somebody else moved the booking to", async () => {
  const row = await storedBooking(project(), date);
  const later = await project().addDate({ course_date: "2030-02-07T09:00:00Z" });
  await project().staff.from("bookings").update({ course_id: later }).eq("id", row.id);
  const form = formOf({ ...formValues(bookingFields, row), places: "3" });
  expect((await saveBooking(project().staff, startEdit(row), form)).message).toContain(
    "Date: Manual Handling, Mon 7 Jan 2030, 09:00, now Manual Handling, Thu 7 Feb 2030, 09:00.",
  );
});

test("moving all bookings moves the active ones, all or none", async () => {
  const later = await project().addDate({ course_date: "2030-02-07T09:00:00Z", capacity: 2 });
  await project().book(date);
  await project().book(date);
  await project().book(date, { status: "cancelled" });
  expect(await moveAll(project().staff, date, "")).toMatchObject({ ok: false, field: "target" });
  expect(await moveAll(project().staff, date, later)).toEqual({ ok: true, message: "2 bookings moved." });
  expect(await moveAll(project().staff, date, later)).toMatchObject({ ok: false, message: "There was no active booking to move." });
  await project().book(date);
  expect(await moveAll(project().staff, date, later)).toMatchObject({ field: "target", message: expect.stringMatching(/too few places/) });
  const cancelled = await project().addDate({ status: "cancelled" });
  expect(await moveAll(project().staff, date, cancelled)).toMatchObject({
    field: "target",
    message: expect.stringMatching(/is cancelled/),
  });
});

test("cancelling, its undo and deleting report only what happened", async () => {
  const { id } = await storedBooking(project(), date);
  const cancelled = await cancelBooking(project().staff, id);
  expect(cancelled).toMatchObject({ ok: true });
  const undo = cancelled.ok ? cancelled.undo : undefined;
  expect(await undo?.()).toMatchObject({ ok: true, message: "The booking is active again." });
  expect(await undo?.()).toMatchObject({ ok: false });
  expect(await cancelBooking(project().staff, id)).toMatchObject({ ok: true });
  expect(await cancelBooking(project().staff, id)).toMatchObject({ ok: false });
  expect(await deleteBooking(project().staff, id)).toMatchObject({ ok: true });
  expect(await deleteBooking(project().staff, id)).toMatchObject({ ok: false });
});
