import { useSyncExternalStore } from "react";

const QUERY = "(prefers-reduced-motion: reduce)";

/** True if the visitor's system asks for reduced motion. */
export function prefersReducedMotion(): boolean {
  return matchMedia(QUERY).matches;
}

/** The same as a hook that follows changes; false on the server. */
export function useReducedMotion(): boolean {
  return useSyncExternalStore(follow, prefersReducedMotion, () => false);
}

function follow(changed: () => void): () => void {
  const query = matchMedia(QUERY);
  query.addEventListener("change", changed);
  return () => query.removeEventListener("change", changed);
}
