import { useEffect, useState } from "react";

/**
 * What a promise came to; until then what the one before it came to, or undefined.
 * Suspense would hold a quick answer back for a moment, so that its fallback does not flash.
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
