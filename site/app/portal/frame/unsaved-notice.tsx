import { createContext, use, useMemo, useState, type ReactNode } from "react";
import { Link, useLocation } from "react-router";
import { useUser } from "./use-user.ts";

/** The query parameter with which a page opens the form of its unsaved input. */
export const CONTINUE = "continue";

/** Input that the last save of a closed form could not save. */
interface UnsavedText {
  userId: string;
  /** The input in words: "blog post for Winter dates". */
  what: string;
  /** The page of the form. */
  page: string;
}

interface UnsavedTextState {
  text: UnsavedText | null;
  /** Sets the input that other pages mention; null once its own page offers it. */
  setText: (text: UnsavedText | null) => void;
}

/** The input of a closed form that the pages of the portal mention. */
export const UnsavedTextContext = createContext<UnsavedTextState>({ text: null, setText: () => undefined });

/** Keeps the input that pages mention while the person visits others. */
export function UnsavedTextProvider({ children }: { children: ReactNode }) {
  const [text, setText] = useState<UnsavedText | null>(null);
  return <UnsavedTextContext value={useMemo(() => ({ text, setText }), [text])}>{children}</UnsavedTextContext>;
}

/** Says on the other pages that input of a closed form is not saved, and leads to it. It does not take the focus, because the person went on. */
export function UnsavedNotice() {
  const { text } = use(UnsavedTextContext);
  const { pathname } = useLocation();
  const isShown = useUser()?.userId === text?.userId && text?.page !== pathname;
  return (
    <div role="status">
      {text && isShown && (
        <div className="row unsaved-line">
          <p>Not saved: {text.what}. Your text is kept in this tab.</p>
          <Link to={`${text.page}?${CONTINUE}`}>Continue</Link>
        </div>
      )}
    </div>
  );
}
