import { useLayoutEffect, useRef } from "react";

/** Returns a function that supersedes what its earlier calls began; what it returns is true until it is superseded itself, also by another page. */
export function useSuperseded(): () => () => boolean {
  const count = useRef(0);

  function supersede(): () => boolean {
    const own = (count.current += 1);
    return () => count.current === own;
  }

  useLayoutEffect(() => {
    // As soon as the other page is on screen.
    return () => void (count.current += 1);
  }, []);

  return supersede;
}
