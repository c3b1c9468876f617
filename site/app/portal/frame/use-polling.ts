import { useEffect, useEffectEvent } from "react";

const PAUSE_MS = 30_000;

/** Calls a function every 30 seconds while the page is visible, when the page becomes visible or takes the focus, and at once. */
export function usePolling(ask: () => void, { atOnce = true } = {}): void {
  const askIfVisible = useEffectEvent(() => {
    if (document.visibilityState === "visible") ask();
  });
  useEffect(() => {
    if (atOnce) askIfVisible();
    const timer = setInterval(() => askIfVisible(), PAUSE_MS);
    const stopped = new AbortController();
    for (const [target, event] of [
      [document, "visibilitychange"],
      [window, "focus"],
    ] as const) {
      target.addEventListener(event, () => askIfVisible(), { signal: stopped.signal });
    }
    return () => {
      clearInterval(timer);
      stopped.abort();
    };
  }, [atOnce]);
}
