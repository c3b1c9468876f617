/** `localStorage`, or null if the visitor's settings deny access. */
export function browserStorage(): Storage | null {
  try {
    return localStorage;
  } catch (error) {
    if (error instanceof DOMException && error.name === "SecurityError") return null;
    throw error;
  }
}
