/** Quotes a name for use as an identifier in SQL: the only way a name from outside reaches a statement. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
