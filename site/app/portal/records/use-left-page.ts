import { use, useEffect, useEffectEvent, useLayoutEffect, useRef, type RefObject } from "react";
import { useLocation } from "react-router";
import { UnsavedTextsContext } from "../frame/unsaved-notice.tsx";
import { useUser } from "../frame/use-user.ts";

interface LeftPage {
  /** True after the page was left. */
  isLeft: RefObject<boolean>;
  /** Mentions unsaved input on the other pages; nothing if it is null. */
  mention: (what: string | null) => void;
}

/** Mentions unsaved input on other pages after its page was left; `offer` offers it when the page is visited again. */
export function useLeftPage(offer: () => void): LeftPage {
  const { userId = "" } = useUser() ?? {};
  const { pathname } = useLocation();
  const { texts, setText } = use(UnsavedTextsContext);
  const isLeft = useRef(false);
  const seen = useRef(texts);

  useLayoutEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
    };
  }, []);

  const offerAgain = useEffectEvent(offer);
  useEffect(() => {
    // The last save of an earlier visit has ended.
    if (seen.current !== texts) offerAgain();
    seen.current = texts;
    if (texts.some(({ page }) => page === pathname)) setText(pathname, null);
  }, [texts, pathname, setText]);

  return { isLeft, mention: (what) => setText(pathname, what === null ? null : { userId, what }) };
}
