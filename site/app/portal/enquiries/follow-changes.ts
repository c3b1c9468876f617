import { useRef } from "react";
import { useRevalidator } from "react-router";
import { usePolling } from "../frame/use-polling.ts";

/** Reloads the page when `latest` returns another value than before; null means no answer. */
export function useFollowChanges(latest: () => Promise<string | null>): void {
  const { revalidate } = useRevalidator();
  const known = useRef<string | null>(null);

  async function look(): Promise<void> {
    const seen = await latest();
    if (seen === null || seen === known.current) return;
    if (known.current !== null) void revalidate();
    known.current = seen;
  }

  usePolling(() => void look());
}
