const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };

/** Escapes a text for an XML element or attribute; characters XML 1.0 forbids are dropped. */
export function xmlText(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are the ones that are not allowed
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, "").replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
