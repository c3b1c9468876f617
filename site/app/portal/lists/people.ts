import type { BrowserSupabase } from "../../supabase/supabase.client.ts";
import { jsonRows } from "./read-list.ts";

/** A member of staff, who may have no display name. */
export interface StaffPerson {
  email: string;
  name: string;
}

/** Lists all members of staff; empty if the service does not answer. */
export async function listPeople(supabase: BrowserSupabase): Promise<StaffPerson[]> {
  const { data } = await jsonRows<StaffPerson>(supabase.rpc("list_staff"));
  return data ?? [];
}

/** Returns the display name of an account, or its e-mail address if it has none or was removed. */
export function nameOf(people: readonly StaffPerson[], email: string): string {
  return people.find((person) => person.email === email)?.name || email;
}
