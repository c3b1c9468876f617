import { provider } from "content/provider.ts";
import { createContext, useContext, useLayoutEffect, useRef, type ReactNode, type RefObject } from "react";
import { href, Link, useLocation } from "react-router";
import { DiskNotice } from "./disk-notice.tsx";
import { LogoutButton } from "./logout-button.tsx";
import noticeStyles from "./notice.module.css";
import { Notice } from "./notice.tsx";
import type { Outcome } from "./outcome.ts";
import styles from "./page-frame.module.css";
import { UnsavedNotice } from "./unsaved-notice.tsx";
import "./portal.css";

/** The title of the previous page, stored in the layout. */
export const LastTitle = createContext<RefObject<string | null>>({ current: null });

/** True for pages beside the navigation. */
export const InsideNavigation = createContext(false);

interface PageFrameProps {
  title: string;
  /** The title of the window, if it is another one. */
  tabTitle?: string;
  /** The e-mail address of the signed-in person, on a page without navigation. */
  email?: string | undefined;
  /** The primary action of the page. */
  action?: ReactNode;
  /** The result of the last action. */
  notice?: Outcome | null;
  /** Runs the undo of the notice. */
  act?: (action: () => Promise<Outcome>) => Promise<unknown>;
  /** True while the page loads. */
  waiting?: boolean;
  children?: ReactNode;
}

/** The content of every portal page: heading, primary action and notice, on pages without navigation also a header; search engines must not list it. */
export function PageFrame({ title, tabTitle = title, email, action, notice = null, act, waiting = false, children }: PageFrameProps) {
  const inside = useContext(InsideNavigation);
  const { pathname } = useLocation();
  return (
    <>
      <title>{`${tabTitle} | ${provider.name}`}</title>
      <meta name="robots" content="noindex, nofollow" />
      {!inside && (
        <header className={styles.bar}>
          <div className={`wrap ${styles.barRow}`}>
            <a className={styles.brand} href="/">
              {provider.name}
            </a>
            <span className={styles.place}>Staff portal</span>
            {email !== undefined && (
              <div className={styles.account}>
                <span className={styles.email}>{email}</span>
                <LogoutButton />
              </div>
            )}
          </div>
        </header>
      )}
      <main id="main" className={inside ? styles.page : `wrap ${styles.main}`} aria-busy={waiting}>
        <div className={styles.head}>
          {inside && pathname !== href("/admin") && (
            <Link className={styles.back} to={href("/admin")}>
              Back to Dashboard
            </Link>
          )}
          <Heading title={title} waiting={waiting} />
          {action !== undefined && <div className={styles.action}>{action}</div>}
        </div>
        {inside && <DiskNotice />}
        {inside && <UnsavedNotice />}
        {notice && (
          <div className={noticeStyles.above}>
            <Notice outcome={notice} act={act} />
          </div>
        )}
        {children}
      </main>
      {!inside && email === undefined && <div className={styles.ridge} aria-hidden="true" />}
    </>
  );
}

/** Takes the focus after a navigation; not on the first page, and not if a form of the page has the focus. */
function Heading({ title, waiting }: { title: string; waiting: boolean }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const lastRef = useContext(LastTitle);
  // A layout effect, because after the page is on screen the focus would leave a control that the person has reached.
  useLayoutEffect(() => {
    if (waiting) return;
    const taken = heading.current?.closest("main")?.contains(document.activeElement) ?? false;
    if (lastRef.current !== null && lastRef.current !== title && !taken) heading.current?.focus();
    lastRef.current = title;
  }, [lastRef, title, waiting]);
  return (
    <h1 ref={heading} tabIndex={-1} className={styles.title}>
      {title}
    </h1>
  );
}
