import type { BrowserSupabase } from "../../../supabase/supabase.client.ts";
import type { Loaded } from "../../frame/outcome.ts";
import { ALL, jsonRows, readList } from "../../lists/read-list.ts";
import { paymentInWords, type Booking } from "../fields.ts";
import { listBookings } from "../queries.ts";

/** An active booking on a register. */
export interface RegisterEntry extends Pick<Booking, "id" | "name" | "company" | "phone" | "places" | "note"> {
  /** Null for trainers, who see no payments. */
  payment: string | null;
}

/** Lists the active bookings of a course date, for the office. */
export async function listRegister(supabase: BrowserSupabase, dateId: string): Promise<Loaded<RegisterEntry>> {
  const result = await listBookings(supabase, { date: dateId });
  if (!result.ok) return result;
  const active = result.rows.filter(({ status }) => status === "active");
  return { ok: true, rows: active.map((booking) => Object.assign(booking, { payment: paymentInWords(booking) })) };
}

/** Lists the active bookings of a course date whose trainer is the signed-in person. */
export async function listOwnRegister(supabase: BrowserSupabase, dateId: string): Promise<Loaded<RegisterEntry>> {
  const result = await readList(
    "bookings",
    () => jsonRows<Omit<RegisterEntry, "payment">>(supabase.rpc("own_register", { date_id: dateId })),
    ALL,
  );
  return result.ok ? { ok: true, rows: result.rows.map((entry) => Object.assign(entry, { payment: null })) } : result;
}
