import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  checkBooking,
  LONGEST_COMPANY,
  LONGEST_EMAIL,
  LONGEST_NAME,
  LONGEST_NOTE,
  LONGEST_PHONE,
  MOST_PLACES,
  PAYMENT_METHODS,
  PAYMENT_STATUSES,
  paymentInWords,
  STATUSES,
} from "./schema.ts";

const filledIn = {
  course_id: "d1",
  name: "Ada Fell",
  email: "",
  phone: "07700 900 123",
  company: "",
  places: "2",
  payment_status: "due",
  payment_method: "",
  note: "",
};

function check(changes: Record<string, string> = {}): ReturnType<typeof checkBooking> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...filledIn, ...changes })) form.set(name, value);
  return checkBooking(form);
}

describe("checkBooking", () => {
  test("takes a booking, empty fields as null, active unless told", () => {
    expect(check()).toEqual({
      ok: true,
      value: {
        ...filledIn,
        email: null,
        company: null,
        places: 2,
        payment_method: null,
        note: null,
        status: "active",
      },
    });
    expect(check({ status: "cancelled", payment_status: "paid", payment_method: "cash" })).toMatchObject({
      value: { status: "cancelled", payment_method: "cash" },
    });
  });

  test.each([
    ["name", " "],
    ["name", "x".repeat(LONGEST_NAME + 1)],
    ["course_id", ""],
    ["places", ""],
    ["places", "0"],
    ["places", "1.5"],
    ["places", String(MOST_PLACES + 1)],
    ["phone", "ask her"],
    ["phone", "1".repeat(LONGEST_PHONE + 1)],
    ["email", "ada"],
    ["email", `${"x".repeat(LONGEST_EMAIL)}@mail.example`],
    ["company", "x".repeat(LONGEST_COMPANY + 1)],
    ["payment_status", "soon"],
    ["payment_method", "cheque"],
    ["note", "x".repeat(LONGEST_NOTE + 1)],
    ["status", "maybe"],
  ])("refuses %s %j, naming the field", (field, value) => {
    expect(check({ [field]: value })).toMatchObject({ ok: false, field });
  });

  test("asks how it was paid", () => {
    expect(check({ payment_status: "paid" })).toMatchObject({ ok: false, field: "payment_method" });
  });
});

test("the limits and choices are those of the database", () => {
  const migration = readFileSync(new URL("../../../../supabase/migrations/20261121090000_bookings.sql", import.meta.url), "utf8");
  const listed = (choices: object): string =>
    `in (${Object.keys(choices)
      .map((choice) => `'${choice}'`)
      .join(", ")})`;
  for (const rule of [
    `char_length(btrim(name)) between 1 and ${LONGEST_NAME})`,
    `char_length(email) <= ${LONGEST_EMAIL})`,
    `char_length(phone) <= ${LONGEST_PHONE})`,
    `char_length(btrim(company)) between 1 and ${LONGEST_COMPANY})`,
    `places between 1 and ${MOST_PLACES})`,
    `char_length(note) <= ${LONGEST_NOTE})`,
    `payment_status ${listed(PAYMENT_STATUSES)}`,
    `payment_method ${listed(PAYMENT_METHODS)}`,
    `status ${listed(STATUSES)}`,
  ])
    expect(migration).toContain(rule);
});

test("a payment reads as people say it", () => {
  expect(paymentInWords({ payment_status: "due", payment_method: null })).toBe("Due");
  expect(paymentInWords({ payment_status: "paid", payment_method: "bank_transfer" })).toBe("Paid, bank transfer");
});
