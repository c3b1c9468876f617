/** What this browser keeps for the site; null where the visitor does not let it, which reading `localStorage` tells by throwing. */
export function keptData(): Storage | null {
  try {
    return localStorage;
  } catch (error) {
    if (error instanceof DOMException && error.name === "SecurityError") return null;
    throw error;
  }
}
