/** Copies a text; false without a clipboard, as on pages without TLS, or if the browser refuses. */
export async function copied(text: string): Promise<boolean> {
  if (!("clipboard" in navigator)) return false;
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch (error) {
    if (error instanceof DOMException && error.name === "NotAllowedError") return false;
    throw error;
  }
}
