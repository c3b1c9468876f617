const KIB = 1024;
const MAX_BYTES: ReadonlyMap<string, number> = new Map([
  ["anon", 64 * KIB],
  ["service_role", 10 * KIB * KIB],
]);
const DEFAULT_MAX_BYTES = KIB * KIB;

/** Returns the longest request body that a role may send to the REST API or to a function, in bytes. */
export function maxBodyBytes(role: string): number {
  return MAX_BYTES.get(role) ?? DEFAULT_MAX_BYTES;
}
