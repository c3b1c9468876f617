const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Reads the id of a record from the query string; null if it is missing or malformed. */
export function idParam(search: URLSearchParams, name: string): string | null {
  const id = search.get(name);
  return id !== null && ID.test(id) ? id : null;
}
