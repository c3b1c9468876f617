import type { BrowserSupabase } from "../../supabase/supabase.client.ts";
import { done, refused, type Loaded, type Outcome } from "../frame/outcome.ts";
import type { CsvColumn } from "../lists/csv/csv.ts";
import { ALL, jsonRows, readList } from "../lists/read-list.ts";

/** The number of hours for which a request holds its places; null if it holds none. */
export interface Hold {
  hours: number | null;
}

/** Reads for how long a request holds its places, as the only row of a list. */
export function readHold(supabase: BrowserSupabase): Promise<Loaded<Hold>> {
  const read = async () => {
    const { data, ...result } = await supabase.rpc("hold_hours");
    return { ...result, data: [{ hours: data }] };
  };
  return readList("settings", read, ALL);
}

/** Sets for how many hours later requests hold their places; null if they hold none. */
export async function setHoldHours(supabase: BrowserSupabase, hours: number | null): Promise<Outcome> {
  const { error } = await supabase.rpc("set_hold_hours", hours === null ? {} : { hours });
  if (error) return refused(`Failed to save: ${error.message}`);
  return done(hours === null ? "New requests hold no places." : `New requests hold their places for ${hours} hours.`);
}

/** The tables that are exported, each with its name for people. */
export const EXPORTS = [
  { table: "course_dates", label: "Course dates" },
  { table: "bookings", label: "Bookings" },
  { table: "waiting_list", label: "Waiting lists" },
  { table: "enquiries", label: "Enquiries" },
  { table: "letters", label: "Letters" },
  { table: "letter_kinds", label: "Templates of letters" },
  { table: "blog_posts", label: "Blog posts" },
  { table: "changes", label: "History" },
  { table: "staff", label: "Accounts" },
  { table: "staff_acts", label: "Account activity" },
] as const;

export type Export = (typeof EXPORTS)[number];

type Row = Record<string, unknown>;

/** Downloads all rows of a table with all columns as the service stores them. */
export async function exportTable(supabase: BrowserSupabase, { table, label }: Export): Promise<Outcome> {
  const words = label.toLowerCase();
  const result = await readList(words, (from, to) => {
    if (table === "staff") return jsonRows<Row>(supabase.rpc("list_staff"));
    return supabase.from(table).select("*").order("id").range(from, to);
  });
  if (!result.ok) return refused(result.message);
  const [first] = result.rows;
  if (!first) return done(`There are no ${words} to export.`);
  const { exportCsv } = await import("../lists/csv/csv-file.ts");
  exportCsv(`${table.replaceAll("_", "-")}-all-columns`, Object.keys(first).map(column), result.rows);
  return done(`Exported ${words}: ${result.rows.length} rows.`);
}

function column(heading: string): CsvColumn<Row> {
  return {
    heading,
    cell(row) {
      const value = row[heading];
      if (value === null || value === undefined) return null;
      return typeof value === "string" || typeof value === "number" ? value : JSON.stringify(value);
    },
  };
}
