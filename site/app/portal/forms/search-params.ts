import { isUuid } from "../../supabase/is-uuid.ts";

/** Reads the id of a record from the query string; null if it is missing or malformed. */
export function idParam(search: URLSearchParams, name: string): string | null {
  const id = search.get(name);
  return id !== null && isUuid(id) ? id : null;
}
