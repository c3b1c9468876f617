import { beforeEach, expect, test } from "vitest";
import { markAllPaid, markPaid } from "../../app/portal/bookings/payments/mark-paid.ts";
import { listedBookings, storedBooking } from "./bookings-fixture.ts";
import { portalProject } from "./portal-fixture.ts";

const project = portalProject();
let date: string;
beforeEach(async () => {
  await project().empty();
  date = await project().addDate();
});

test("a booking is marked as paid and due again, and not if it was paid meanwhile", async () => {
  const booking = await storedBooking(project(), date);
  const outcome = await markPaid(project().staff, booking, "card");
  expect(outcome).toMatchObject({ ok: true, message: `${booking.name} paid: Paid, card.` });
  expect(await listedBookings(project())).toMatchObject([{ payment_status: "paid", payment_method: "card" }]);
  expect(await markPaid(project().staff, booking, "cash")).toMatchObject({
    ok: false,
    message: "Not due any more, so nothing was changed.",
  });
  expect(outcome.ok && (await outcome.undo?.())).toMatchObject({ ok: true });
  expect(await listedBookings(project())).toMatchObject([{ payment_status: "due", payment_method: null }]);
});

test("several bookings are marked as paid, except those that were paid or deleted meanwhile, and the undo restores their payments", async () => {
  const names = ["Ada", "Ben", "Cal", "Dot"];
  date = await project().addDate({ capacity: 9 });
  for (const name of names) await project().book(date, { name, payment_method: name === "Ben" ? "bank_transfer" : null });
  const bookings = await listedBookings(project());
  const payments = async () =>
    (await listedBookings(project())).map(({ name, payment_status, payment_method }) => [name, payment_status, payment_method]);
  const before = await payments();
  await markPaid(project().staff, bookings[2] ?? expect.fail(), "card");
  await project().remove("bookings", bookings[3]?.id ?? "");
  const outcome = await markAllPaid(project().staff, bookings, "cash");
  expect(outcome).toMatchObject({ ok: true, message: "2 bookings marked: Paid, cash. 2 others were changed or deleted by somebody else." });
  expect(await payments()).toEqual([
    ["Ada", "paid", "cash"],
    ["Ben", "paid", "cash"],
    ["Cal", "paid", "card"],
  ]);
  expect(outcome.ok && (await outcome.undo?.())).toMatchObject({ ok: true, message: "2 bookings are not paid." });
  expect(await payments()).toEqual([before[0], before[1], ["Cal", "paid", "card"]]);
  expect(await markAllPaid(project().staff, bookings.slice(2), "cash")).toMatchObject({ ok: false });
});

test("the undo leaves a payment that somebody else changed meanwhile, and says so", async () => {
  date = await project().addDate({ capacity: 9 });
  for (const name of ["Ada", "Ben", "Cal"]) await project().book(date, { name });
  const [ada, ben, cal] = await listedBookings(project());
  if (!ada || !ben || !cal) return expect.fail();
  const all = await markAllPaid(project().staff, [ada, ben, cal], "card");
  for (const { id } of [ada, ben]) await project().staff.from("bookings").update({ payment_method: "cash" }).eq("id", id).throwOnError();
  expect(all.ok && (await all.undo?.())).toEqual({
    ok: true,
    message:
      "1 booking is not paid. Somebody else changed or deleted the bookings of Ada, Ben meanwhile, so their payments were not undone.",
    stored: [{ id: cal.id, updated_at: expect.any(String), payment_status: "due", payment_method: null }],
  });
  expect((await listedBookings(project())).map(({ payment_status, payment_method }) => [payment_status, payment_method])).toEqual([
    ["paid", "cash"],
    ["paid", "cash"],
    ["due", null],
  ]);
  const one = await markPaid(project().staff, cal, "card");
  await project().remove("bookings", cal.id);
  expect(one.ok && (await one.undo?.())).toEqual({
    ok: false,
    message: "Somebody else changed or deleted the booking of Cal meanwhile, so its payment was not undone.",
    next: { to: `/admin/bookings?open=${cal.id}`, label: "Show the booking" },
  });
});

test("more bookings than fit the address of one request are marked as paid and as due again", async () => {
  date = await project().addDate({ capacity: 250 });
  const rows = Array.from({ length: 201 }, (_, index) => ({ course_id: date, name: `Guest ${index}` }));
  expect((await project().staff.from("bookings").insert(rows)).error).toBeNull();
  const outcome = await markAllPaid(project().staff, await listedBookings(project()), "card");
  expect(outcome).toMatchObject({ ok: true, message: "201 bookings marked: Paid, card." });
  expect((await listedBookings(project())).filter(({ payment_status }) => payment_status === "due")).toEqual([]);
  expect(outcome.ok && (await outcome.undo?.())).toMatchObject({ ok: true, message: "201 bookings are not paid." });
});
