import { createContext, useContext, useEffect, type RefObject } from "react";

/** The title of the page that was shown last; the layout holds it. */
export const LastTitle = createContext<RefObject<string | null>>({ current: null });

/**
 * Moves the focus to the heading when another page is shown than before; not on the first, where the browser begins at the top itself,
 * and not away from a form that the page opens with.
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
