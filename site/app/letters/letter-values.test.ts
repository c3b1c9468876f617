import { expect, test } from "vitest";
import { letterValues } from "./letter-values.ts";

test.each([
  ["unpaid", "£5,000"],
  ["paid", "nothing, it is paid"],
])("the price of two places that are %s is “%s”, as pages write prices", (payment_status, due) => {
  const booking = { name: "Ada Fell", places: 2, payment_status };
  const course_date = { course_name: "Lvl 3 Close Protection", course_date: "2031-03-03T09:00Z", end_date: null };
  expect(letterValues({ booking, waiting: null, enquiry: null, course_date }, null)["price due"]).toBe(due);
});
