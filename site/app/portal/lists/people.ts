import type { BrowserSupabase } from "../../supabase/supabase.client.ts";
import { jsonRows } from "./read-list.ts";

/** A member of staff, who may have no display name. */
export interface StaffPerson {
  email: string;
  name: string;
}

/** A member of staff with the id and the state of the account. */
export interface StaffAccount extends StaffPerson {
  id: string;
  state: string;
}

/** Lists all members of staff; empty if the service does not answer. */
export async function listPeople(supabase: BrowserSupabase): Promise<StaffAccount[]> {
  const { data } = await jsonRows<StaffAccount>(supabase.rpc("list_staff"));
  return data ?? [];
}

/** Returns the display name of an account, or its e-mail address if it has none or was removed. */
export function nameOf(people: readonly StaffPerson[], email: string): string {
  return people.find((person) => person.email === email)?.name || email;
}

/** Returns the display name or e-mail address of the account with this id, or a text for one that was removed; null for null. */
export function accountInWords(people: readonly StaffAccount[], id: string | null): string | null {
  if (id === null) return null;
  const person = people.find((each) => each.id === id);
  return person ? person.name || person.email : "a removed account";
}
