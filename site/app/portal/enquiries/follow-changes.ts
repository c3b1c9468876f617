import { useEffect, useEffectEvent, useRef } from "react";
import { useRevalidator } from "react-router";

const PAUSE_MS = 30_000;

/**
 * Reloads the page when `latest` returns another value than before. It is called every 30 seconds while the page is
 * visible, and when the page becomes visible; null means no answer.
 */
export function useFollowChanges(latest: () => Promise<string | null>): void {
  const { revalidate } = useRevalidator();
  const known = useRef<string | null>(null);

  const look = useEffectEvent(async () => {
    if (document.visibilityState !== "visible") return;
    const seen = await latest();
    if (seen === null || seen === known.current) return;
    if (known.current !== null) void revalidate();
    known.current = seen;
  });

  useEffect(() => {
    void look();
    const timer = setInterval(() => void look(), PAUSE_MS);
    const stopped = new AbortController();
    for (const [target, event] of [
      [document, "visibilitychange"],
      [window, "focus"],
    ] as const) {
      target.addEventListener(event, () => void look(), { signal: stopped.signal });
    }
    return () => {
      clearInterval(timer);
      stopped.abort();
    };
  }, []);
}
