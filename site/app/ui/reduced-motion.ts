import { useSyncExternalStore } from "react";

const QUERY = "(prefers-reduced-motion: reduce)";

/** Whether the visitor asked for a page that does not move. */
export function prefersStillness(): boolean {
  return matchMedia(QUERY).matches;
}

/** The same, followed while the page is open; on the server nobody has asked yet. */
export function useStillness(): boolean {
  return useSyncExternalStore(follow, prefersStillness, () => false);
}

function follow(changed: () => void): () => void {
  const query = matchMedia(QUERY);
  query.addEventListener("change", changed);
  return () => query.removeEventListener("change", changed);
}
