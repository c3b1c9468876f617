import * as SQLSTATE from "backend/sqlstates.ts";
import { href } from "react-router";
import type { BrowserSupabase } from "../../supabase/supabase.client.ts";
import type { Loaded, Outcome, Refusal } from "../frame/outcome.ts";
import { counted } from "../frame/counted.ts";
import { accountInWords, listPeople, type StaffAccount } from "../lists/people.ts";
import { idGroups, readList } from "../lists/read-list.ts";
import { deletionOutcome } from "../records/deletion.ts";
import type { ListedDate } from "./fields.ts";

/** Lists every course date, the earliest first. */
export async function listCourseDates(
  supabase: BrowserSupabase,
  people: Promise<Loaded<StaffAccount>> = listPeople(supabase),
): Promise<Loaded<ListedDate>> {
  const result = await readList("course dates", (from, to) =>
    supabase.from("course_dates").select("*, waiting_list(id)").order("course_date").order("id").range(from, to),
  );
  if (!result.ok) return result;
  const accounts = await people;
  if (!accounts.ok) return accounts;
  return { ok: true, rows: result.rows.map((row) => Object.assign(row, { trainer: accountInWords(accounts.rows, row.trainer_id) })) };
}

/** Lists the e-mail addresses of the people with active bookings on course dates. */
export async function listBooked(supabase: BrowserSupabase, ids: readonly string[]): Promise<Loaded<{ email: string | null }>> {
  const rows: { email: string | null }[] = [];
  for (const some of idGroups(ids)) {
    const result = await readList("bookings", (from, to) =>
      supabase
        .from("bookings")
        .select("email")
        .in("course_id", some)
        .eq("status", "active")
        .not("email", "is", null)
        .order("id")
        .range(from, to),
    );
    if (!result.ok) return result;
    rows.push(...result.rows);
  }
  return { ok: true, rows };
}

/** Deletes a course date; the database refuses it while bookings or the waiting list refer to it. */
export async function deleteCourseDate(supabase: BrowserSupabase, id: string): Promise<Outcome> {
  const deletion = await supabase.from("course_dates").delete().eq("id", id).select("id");
  const code = deletion.error?.code;
  if (code === SQLSTATE.foreignKeyViolation || code === SQLSTATE.restrictViolation) {
    const { data } = await supabase.from("bookings").select("id, status").eq("course_id", id);
    if (data) return inUse(id, data.filter(({ status }) => status === "active").length, data.length);
  }
  return deletionOutcome(deletion, "course", "Course deleted successfully!", { supabase, kind: "course_dates", id });
}

/** Cancelled bookings block the deletion too, since they would be deleted with the date. */
function inUse(id: string, active: number, bookings: number): Refusal {
  const to = `${href("/admin/bookings")}?date=${id}`;
  if (bookings === 0) {
    const message = "Cannot delete this course as people are on its waiting list. Please book or remove them first.";
    return { ok: false, message, next: { to, label: "Show its waiting list" } };
  }
  const message =
    active > 0
      ? `Cannot delete this course as it has ${active} active booking(s). Please delete or reassign the bookings first.`
      : `Cannot delete this course as it still has ${counted(bookings, "cancelled booking")}. Please delete or reassign them first.`;
  return { ok: false, message, next: { to, label: "Show its bookings, to move or delete them" } };
}
