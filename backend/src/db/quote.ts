/** Quotes a name as an SQL identifier; the only way a name from a request reaches a statement. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
