import { beforeEach, describe, expect, test } from "vitest";
import { cancelBooking } from "../../app/portal/bookings/end-booking.ts";
import { bookingFields, type Booking } from "../../app/portal/bookings/fields.ts";
import { markAllPaid, markPaid } from "../../app/portal/bookings/payments/mark-paid.ts";
import { saveBooking } from "../../app/portal/bookings/save-booking.ts";
import { handlingFields, type Enquiry } from "../../app/portal/enquiries/fields.ts";
import { readEnquiry, saveEnquiry, setStatus } from "../../app/portal/enquiries/queries.ts";
import { formValues } from "../../app/portal/forms/fields.ts";
import { rowOf, type Outcome } from "../../app/portal/frame/outcome.ts";
import { createPageEdits, type PageEdits } from "../../app/portal/records/page-edits.ts";
import { startEdit, type RecordEdit } from "../../app/portal/records/save-record.ts";
import { listedBookings, storedBooking } from "./bookings-fixture.ts";
import { formOf, portalProject } from "./portal-fixture.ts";

const project = portalProject();
let edits: PageEdits;
let booking: Booking;
beforeEach(async () => {
  await project().empty();
  edits = createPageEdits();
  booking = await storedBooking(project(), await project().addDate());
});

/** Opens the form of the booking as the list has it. */
function openEdit(): RecordEdit<Booking> {
  const edit = startEdit(booking);
  edits.start(edit);
  return edit;
}

function saveNote(edit: RecordEdit<Booking>): Promise<Outcome> {
  return saveBooking(project().staff, edit, formOf({ ...formValues(bookingFields, edit.opened), note: "Vegetarian" }));
}

async function undo(action: Promise<Outcome>): Promise<Outcome> {
  const outcome = await edits.track(action);
  return (outcome.ok && (await outcome.undo?.())) || expect.fail();
}

const paid = (): Promise<Outcome> => markPaid(project().staff, booking, "card");
const cancelled = (): Promise<Outcome> => cancelBooking(project().staff, booking.id);
const PAID = { payment_status: "paid", payment_method: "card" };

describe.each<[what: string, action: () => Promise<Outcome>, columns: Partial<Booking>]>([
  ["payment", paid, PAID],
  ["payment of several", () => markAllPaid(project().staff, [booking], "card"), PAID],
  ["undo of a payment", () => undo(paid()), { payment_status: "due", payment_method: null }],
  ["cancellation", cancelled, { status: "cancelled" }],
  ["undo of a cancellation", () => undo(cancelled()), { status: "active" }],
])("after the user's own %s", (_what, action, columns) => {
  test("an edit that was opened before is saved at once and keeps it", async () => {
    const edit = openEdit();
    expect(await edits.track(action())).toMatchObject({ ok: true });
    expect(await saveNote(edit)).toMatchObject({ ok: true });
    expect(await listedBookings(project())).toMatchObject([{ ...columns, note: "Vegetarian" }]);
  });

  test("an edit begins with it before the list is loaded again", async () => {
    await edits.track(action());
    const edit = openEdit();
    expect(edit.opened).toMatchObject(columns);
    expect(await saveNote(edit)).toMatchObject({ ok: true });
    expect(await listedBookings(project())).toMatchObject([{ ...columns, note: "Vegetarian" }]);
  });

  test("a save that is sent before its answer waits for it", async () => {
    const edit = openEdit();
    const { promise, resolve } = Promise.withResolvers<void>();
    const outcome = await action();
    const tracked = edits.track(promise.then(() => outcome));
    const saving = saveNote(edit);
    resolve();
    await tracked;
    expect(await saving).toMatchObject({ ok: true });
    expect(await listedBookings(project())).toMatchObject([{ ...columns, note: "Vegetarian" }]);
  });

  test("an edit reports what somebody else changed, and nothing else", async () => {
    const before = openEdit();
    await project().staff.from("bookings").update({ places: 2 }).eq("id", booking.id).throwOnError();
    await edits.track(action());
    for (const edit of [before, openEdit()])
      expect((await saveNote(edit)).message).toMatch(/while you were editing it\. Places: 1, now 2\. Nothing was overwritten\./);
  });
});

test("a later change by somebody else is reported, also of the same field", async () => {
  const edit = openEdit();
  await edits.track(paid());
  await project().staff.from("bookings").update({ payment_status: "due" }).eq("id", booking.id).throwOnError();
  expect((await saveNote(edit)).message).toContain("Payment: Paid, now Not paid");
});

test("the user's own status of an enquiry is no change by somebody else", async () => {
  const asked = { name: "Ada", reply_to: "ada@mail.example", course_name: "Lvl 2 CCTV", message: "When?" };
  const id = await project().add("enquiries", asked);
  const enquiry: Enquiry = (await rowOf(readEnquiry(project().staff, id), id)) ?? expect.fail();
  const edit = startEdit(enquiry);
  edits.start(edit);
  await edits.track(setStatus(project().staff, enquiry, "new", "called"));
  const form = formOf({ ...formValues(handlingFields, enquiry), note: "Call again" });
  expect(await saveEnquiry(project().staff, edit, form)).toMatchObject({ ok: true });
  const { data } = await project().staff.from("enquiries").select("note, status").eq("id", id).single();
  expect(data).toEqual({ note: "Call again", status: "called" });
});
