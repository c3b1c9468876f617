import { DAY_MS } from "../../time/durations.ts";
import { addDays, fromLondonTime, toLondonTime } from "../../time/london-time.ts";
import { editableValues, initialValues } from "../forms/fields.ts";
import { textOf } from "../forms/form-text.ts";
import { refused, type Checked } from "../frame/outcome.ts";
import { courseDateFields, type CourseDateValues } from "./fields.ts";
import { daysByRule, MOST_REPEATS } from "./repeat-days.ts";

const DAY_FIELD = /^day-\d+$/;

// The form describes these fields separately, and a copy gets the initial status.
const { course_name: _name, course_date: _start, end_date: _end, status: _status, ...otherFields } = courseDateFields;

/** The fields that each copy has in common with the course date, as text. */
export const COPIED = new Intl.ListFormat("en-GB").format([
  "time",
  "length",
  ...Object.values(otherFields).map(({ label }) => label.toLowerCase()),
]);

/** The course dates of a repeat form: copies with the same London time and length, also after the clocks change, and the initial status. */
export function repeatedDates(row: CourseDateValues, form: FormData): Checked<CourseDateValues[]> {
  const [firstDay = "", hour = ""] = toLondonTime(new Date(row.course_date)).split("T");
  const how = textOf(form, "how");
  if (how !== "days" && daysByRule(firstDay, how, textOf(form, "times")) === null) {
    return refused(`Enter how many more, a whole number from 1 to ${MOST_REPEATS}.`, "times");
  }
  const days = chosenDays(form);
  if (days.length === 0 || days.length > MOST_REPEATS) return refused(`Choose from 1 to ${MOST_REPEATS} days.`, "day-1");

  const length = row.end_date === null ? null : daysBetween(firstDay, row.end_date);
  const dates: CourseDateValues[] = [];
  for (const day of days) {
    const instant = fromLondonTime(`${day}T${hour}`);
    if (!instant) return refused(`There is no ${hour} on ${day} in Britain.`, "day-1");
    dates.push({
      ...editableValues(courseDateFields, row),
      course_date: instant.toISOString(),
      end_date: length === null ? null : addDays(day, length),
      status: initialValues(courseDateFields)["status"] ?? "",
    });
  }
  return { ok: true, value: dates };
}

/** True for the names of the day inputs: `day-1`, `day-2` and so on. */
export function isDayField(name: string): boolean {
  return DAY_FIELD.test(name);
}

function chosenDays(form: FormData): string[] {
  const days = [...form].flatMap(([name, day]) => (isDayField(name) && typeof day === "string" && day !== "" ? day : []));
  return [...new Set(days)].sort();
}

function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00Z`) - Date.parse(`${from}T00:00Z`)) / DAY_MS);
}
