import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useLocation } from "react-router";

/**
 * Returns the value of a promise; until it settles the value of the previous promise, or undefined. A result that cannot be loaded again
 * stays, marked as outdated. Suspense would delay a quick response, to prevent its fallback from flashing.
 */
export function useLoaded<Value>(promise: Promise<Value>): Value | undefined {
  const { key } = useLocation();
  const [value, setValue] = useState<Value>();
  const lastKey = useRef<string>(undefined);
  // Another address may mean other rows.
  const isReload = useEffectEvent(() => lastKey.current === key);
  useEffect(() => {
    let current = true;
    const mayKeep = isReload();
    void promise.then((next) => {
      if (current) setValue((shown) => (mayKeep && isOk(shown) && !isOk(next) ? { ...shown, isOutdated: true } : next));
    });
    return () => {
      current = false;
    };
  }, [promise]);
  useEffect(() => {
    lastKey.current = key;
  }, [key]);
  return value;
}

function isOk(value: unknown): value is { ok: true } {
  return typeof value === "object" && value !== null && "ok" in value && value.ok === true;
}
