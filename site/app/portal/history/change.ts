import type { Database } from "../../../../supabase/database.types.ts";
import { DAY_MS } from "../../time/durations.ts";
import { londonDate, londonDay, londonMoment } from "../../time/london-date.ts";

type ChangeRow = Database["public"]["Tables"]["changes"]["Row"];

/** Values of a record by column. */
export type Values = Readonly<Record<string, unknown>>;

/** One change as stored in the change log. */
export type Change = Pick<ChangeRow, "at" | "kind" | "record_id" | "act" | "actor" | "actor_email" | "columns"> & {
  id: string;
  /** The values that name the record; null after the retention period. */
  about: Values | null;
  before: Values | null;
  after: Values | null;
  /** Course dates and accounts named by the values, in words by id. */
  names: ReadonlyMap<string, string>;
};

/** Selects changes; an empty property selects all. */
export interface ChangeScope {
  kind: string;
  /** An e-mail address, or one of `MACHINES`. */
  who: string;
  /** London days. */
  from: string;
  to: string;
  record: string;
  /** Selects changes before this instant, as ISO text. */
  before: string;
}

type Labels = Readonly<Record<string, string>>;
export const KINDS: Labels = { course_dates: "Course", bookings: "Booking", blog_posts: "Blog post", enquiries: "Enquiry" };
export const ACTS: Labels = { insert: "added", update: "changed", delete: "deleted", restore: "restored" };
/** Actors other than staff. */
export const MACHINES: Labels = { service: "The system", database: "Set up with the website" };

const FIELDS: Labels = {
  course_id: "Date",
  course_name: "Course",
  course_date: "Starts",
  trainer_id: "Trainer",
  end_date: "Last day",
  email: "E-mail",
  image_url: "Image",
  payment_status: "Payment",
  payment_method: "Paid by",
  slug: "Address",
  created_at: "Added",
  published_at: "Published",
  enquiry_id: "Enquiry",
};
/** Columns whose values are codes, which are the labels of the forms in lower case. */
const CODES: ReadonlySet<string> = new Set(["status", "payment_status", "payment_method", "letters", "request"]);
const RESTORABLE_MS = 30 * DAY_MS;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** True if a change is a deletion of the last 30 days without a later change of the record in `changes`. */
export function restorable({ act, at, record_id, before }: Change, changes: readonly Change[], now = Date.now()): boolean {
  if (act !== "delete" || !before || Date.parse(at) <= now - RESTORABLE_MS) return false;
  return !changes.some((later) => later.record_id === record_id && later.at > at);
}

/** Returns the label of a column. */
export function labelOfField(column: string): string {
  return FIELDS[column] ?? sentenceCase(column);
}

/** "bank_transfer" as "Bank transfer". */
function sentenceCase(code: string): string {
  return `${code.charAt(0).toUpperCase()}${code.slice(1).replaceAll("_", " ")}`;
}

/** Formats a value; empty if there is none. */
export function valueInWords(column: string, value: unknown, names: Change["names"]): string {
  if (value === null || value === undefined) return "";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (column === "course_id") return names.get(text) ?? "a deleted date";
  if (column === "trainer_id") return names.get(text) ?? "a removed account";
  if (column === "enquiry_id") return "an enquiry";
  if (CODES.has(column)) return sentenceCase(text);
  if (INSTANT.test(text)) return londonMoment(londonDate(text));
  return DAY.test(text) ? londonDay(text) : text;
}

/** Names the record of a change, "Ada Fell, Lvl 2 CCTV, 30 Nov 2026, 09:00"; empty after the retention period. */
export function recordInWords({ about }: Pick<Change, "about">): string {
  if (!about) return "";
  const { name, title, course_name, course_date } = about;
  const parts = [name, title === "" ? "without a title" : title, course_name, course_date];
  return parts.flatMap((part) => (typeof part === "string" ? (INSTANT.test(part) ? londonMoment(londonDate(part)) : part) : [])).join(", ");
}

/** Returns the columns of a change in alphabetical order. */
export function columnsOf({ before, after }: Pick<Change, "before" | "after">): string[] {
  const all = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  all.delete("id");
  return [...all].sort();
}
