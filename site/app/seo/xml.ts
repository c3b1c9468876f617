const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };

/** Escapes a text for an XML element or attribute and drops characters that XML 1.0 forbids. */
export function xmlText(text: string): string {
  // oxlint-disable-next-line no-control-regex -- XML 1.0 forbids these
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, "").replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
