import { createContext, use, useCallback, useMemo, useState, type ReactNode } from "react";
import { Link, useLocation } from "react-router";
import { Message } from "../../ui/message.tsx";
import styles from "./notice.module.css";
import { useUser } from "./use-user.ts";

/** The query parameter with which a page opens the form of its unsaved input. */
export const CONTINUE = "continue";

/** Input that was not saved after its page was left. */
interface UnsavedText {
  userId: string;
  /** The input in words: "blog post for Winter dates". */
  what: string;
  /** The path of its page. */
  page: string;
}

interface UnsavedTexts {
  texts: readonly UnsavedText[];
  /** Replaces the input of a page; null if there is none any more. */
  setText: (page: string, text: Omit<UnsavedText, "page"> | null) => void;
}

/** The unsaved input about which other pages show a notice. */
export const UnsavedTextsContext = createContext<UnsavedTexts>({ texts: [], setText: () => undefined });

/** Stores the unsaved input of pages while the person visits others. */
export function UnsavedTextsProvider({ children }: { children: ReactNode }) {
  const [texts, setTexts] = useState<readonly UnsavedText[]>([]);
  const setText = useCallback<UnsavedTexts["setText"]>((page, text) => {
    setTexts((now) => [...now.filter((each) => each.page !== page), ...(text ? [{ ...text, page }] : [])]);
  }, []);
  return <UnsavedTextsContext value={useMemo(() => ({ texts, setText }), [texts, setText])}>{children}</UnsavedTextsContext>;
}

/** Shows that input of another page is not saved, with a link to it. It does not take the focus, because the person works on this page. */
export function UnsavedNotice() {
  const { texts } = use(UnsavedTextsContext);
  const { pathname } = useLocation();
  const userId = useUser()?.userId;
  return (
    <div role="status">
      {texts.map(
        (text) =>
          text.userId === userId &&
          text.page !== pathname && (
            <div key={text.page} className={`${styles.notice} ${styles.above}`}>
              <Message silent>
                <p>Not saved: {text.what}. Your text is kept in this tab.</p>
                <p>
                  <Link to={`${text.page}?${CONTINUE}`}>Continue</Link>
                </p>
              </Message>
            </div>
          ),
      )}
    </div>
  );
}
