import { createContext, useContext, useEffect, type RefObject } from "react";

/** The title of the previous page, stored in the layout. */
export const LastTitle = createContext<RefObject<string | null>>({ current: null });

/**
 * Moves the focus to the heading after a navigation; not on the first page, and not if a form of the page has the focus.
 */
export function useFocusHeading(heading: RefObject<HTMLElement | null>, title: string, waiting: boolean): void {
  const lastRef = useContext(LastTitle);
  useEffect(() => {
    if (waiting) return;
    const taken = heading.current?.closest("main")?.contains(document.activeElement) ?? false;
    if (lastRef.current !== null && lastRef.current !== title && !taken) heading.current?.focus();
    lastRef.current = title;
  }, [heading, lastRef, title, waiting]);
}
