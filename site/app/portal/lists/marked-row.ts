import { createContext, useContext, useLayoutEffect, useRef, type RefObject } from "react";
import { prefersReducedMotion } from "../../ui/reduced-motion.ts";

/** The id of the record that was just added or saved. */
export const MarkedRecord = createContext<string | null>(null);

/** True for the row of the record that was just added or saved; scrolls to it. */
export function useMarkedRow(id: string): [ref: RefObject<HTMLTableRowElement | null>, isMarked: boolean] {
  const row = useRef<HTMLTableRowElement>(null);
  const record = useContext(MarkedRecord);
  // The database writes the id that the form chose with dashes.
  const isMarked = record !== null && record.replaceAll("-", "") === id.replaceAll("-", "");
  // A layout effect, because a row that is on screen would move under the pointer.
  useLayoutEffect(() => {
    if (isMarked) row.current?.scrollIntoView({ block: "center", behavior: prefersReducedMotion() ? "instant" : "smooth" });
  }, [isMarked]);
  return [row, isMarked];
}
