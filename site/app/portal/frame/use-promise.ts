import { useEffect, useState } from "react";

/**
 * Returns the value of a promise; until it settles the value of the previous promise, or undefined.
 * Suspense would delay a quick response, to prevent its fallback from flashing.
 */
export function usePromise<Value>(promise: Promise<Value>): Value | undefined {
  const [value, setValue] = useState<Value>();
  useEffect(() => {
    let current = true;
    void promise.then((settled) => {
      if (current) setValue(() => settled);
    });
    return () => {
      current = false;
    };
  }, [promise]);
  return value;
}
