import type { BrowserSupabase } from "../../supabase/supabase.client.ts";
import type { Loaded } from "../frame/outcome.ts";
import { ALL, jsonRows, readList } from "./read-list.ts";

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

/** Lists all members of staff. */
export function listPeople(supabase: BrowserSupabase): Promise<Loaded<StaffAccount>> {
  return readList("staff", () => jsonRows<StaffAccount>(supabase.rpc("list_staff")), ALL);
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
