// As a hosted project sets them on its roles.
const STATEMENT_TIMEOUTS_MS: ReadonlyMap<string, number> = new Map([
  ["anon", 3000],
  ["authenticated", 8000],
]);

/** How long a statement of a role may run, in ms; undefined for as long as it takes. */
export function statementTimeoutOf(role: string): number | undefined {
  return STATEMENT_TIMEOUTS_MS.get(role);
}
