import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useLocation } from "react-router";

/**
 * Returns the value of a promise; until it settles the value of the previous promise, or undefined. A result that cannot be loaded again
 * stays, marked as outdated. The value of another `scope` is not returned.
 * Suspense would delay a quick response, to prevent its fallback from flashing.
 */
export function useLoaded<Value>(promise: Promise<Value>, scope?: unknown): Value | undefined {
  const { key } = useLocation();
  const [loaded, setLoaded] = useState<{ value: Value; scope: unknown }>();
  const lastKey = useRef<string>(undefined);
  // Another address may mean other rows.
  const isReload = useEffectEvent(() => lastKey.current === key);
  useEffect(() => {
    let current = true;
    const mayKeep = isReload();
    void promise.then((next) => {
      if (!current) return;
      setLoaded((shown) => ({
        scope,
        value: mayKeep && shown && isOk(shown.value) && !isOk(next) ? { ...shown.value, isOutdated: true } : next,
      }));
    });
    return () => {
      current = false;
    };
  }, [promise, scope]);
  useEffect(() => {
    lastKey.current = key;
  }, [key]);
  return loaded?.scope === scope ? loaded?.value : undefined;
}

function isOk(value: unknown): value is { ok: true } {
  return typeof value === "object" && value !== null && "ok" in value && value.ok === true;
}
