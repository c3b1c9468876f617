import { useEffectEvent, useLayoutEffect } from "react";

/** Calls `onKeyDown` for the keys that are pressed anywhere on the page. */
export function usePageKeys(onKeyDown: (event: KeyboardEvent) => void): void {
  const press = useEffectEvent(onKeyDown);
  // Before the component is on screen, so that no key after that is lost.
  useLayoutEffect(() => {
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
}
