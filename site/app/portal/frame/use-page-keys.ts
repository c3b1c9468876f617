import { useEffectEvent, useLayoutEffect } from "react";

/** Calls `onKeyDown` for the keys that are pressed anywhere on the page. */
export function usePageKeys(onKeyDown: (event: KeyboardEvent) => void): void {
  const press = useEffectEvent(onKeyDown);
  // A layout effect, so that no key is lost after the component is on screen.
  useLayoutEffect(() => {
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
}
