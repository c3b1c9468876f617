import { useLayoutEffect, useRef } from "react";

/** Returns a function to call at the start of an operation. The function that it returns is true until a later operation or another page begins. */
export function useSuperseded(): () => () => boolean {
  const count = useRef(0);

  function supersede(): () => boolean {
    const own = (count.current += 1);
    return () => count.current === own;
  }

  useLayoutEffect(() => {
    // A layout effect, so that another page supersedes the operation as soon as it is on screen.
    return () => void (count.current += 1);
  }, []);

  return supersede;
}
