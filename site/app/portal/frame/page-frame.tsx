import { provider } from "content/provider.ts";
import { createContext, useContext, useEffect, useRef, useState, type ReactNode, type RefObject } from "react";
import { href, Link, NavLink, useNavigate } from "react-router";
import { browserClient } from "../../supabase/supabase.client.ts";
import { Button } from "../../ui/button.tsx";
import { areas } from "../areas.ts";
import { takeAskedPage } from "./asked-page.ts";
import { DiskNotice } from "./disk-notice.tsx";
import { Notice } from "./notice.tsx";
import type { Outcome } from "./outcome.ts";
import styles from "./page-frame.module.css";
import "./portal.css";
import { useUser } from "./use-user.ts";

/** The title of the previous page, stored in the layout. */
export const LastTitle = createContext<RefObject<string | null>>({ current: null });

interface PageFrameProps {
  title: string;
  /** The e-mail address of the signed-in person, if it is not that of `useUser`. */
  email?: string | undefined;
  /** The primary action of the page. */
  action?: ReactNode;
  /** The result of the last action. */
  notice?: Outcome | null;
  /** Runs the undo of the notice. */
  act?: (action: () => Promise<Outcome>) => Promise<void>;
  /** True while the page loads. */
  waiting?: boolean;
  children?: ReactNode;
}

/** The frame of every portal page: navigation, heading, primary action and notice; search engines must not list it. */
export function PageFrame({ title, action, notice = null, act, waiting = false, children, ...props }: PageFrameProps) {
  const user = useUser();
  const email = props.email ?? user?.email;
  return (
    <>
      <title>{`${title} | ${provider.name}`}</title>
      <meta name="robots" content="noindex, nofollow" />
      <header className={styles.bar}>
        <div className={`wrap ${styles.barRow}`}>
          <a className={styles.brand} href="/">
            {provider.name}
          </a>
          <span className={styles.place}>Staff portal</span>
          {email !== undefined && (
            <div className={styles.account}>
              <Link className={styles.email} to={href("/admin/profile")} aria-label={`My profile, ${email}`}>
                {email}
              </Link>
              <LogoutButton />
            </div>
          )}
        </div>
        {user && (
          <nav aria-label="Portal" className={styles.areas}>
            <ul className={`wrap ${styles.areaList}`}>
              {areas.map(({ to, short }) => (
                <li key={to}>
                  <NavLink to={to}>{short}</NavLink>
                </li>
              ))}
            </ul>
          </nav>
        )}
      </header>
      <main className={`wrap ${styles.main}`} aria-busy={waiting}>
        <div className={styles.head}>
          {user && (
            <Link className={styles.back} to={href("/admin")}>
              Back to Dashboard
            </Link>
          )}
          <Heading title={title} waiting={waiting} />
          {action !== undefined && <div className={styles.action}>{action}</div>}
        </div>
        {email !== undefined && <DiskNotice />}
        {notice && (
          <div className={styles.notice}>
            <Notice outcome={notice} act={act} />
          </div>
        )}
        {children}
      </main>
      {email === undefined && <div className={styles.ridge} aria-hidden="true" />}
    </>
  );
}

/** Takes the focus after a navigation; not on the first page, and not if a form of the page has the focus. */
function Heading({ title, waiting }: { title: string; waiting: boolean }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const lastRef = useContext(LastTitle);
  useEffect(() => {
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

/** Signs out all tabs of this browser; other devices stay signed in. */
function LogoutButton() {
  const [busy, setBusy] = useState(false);
  const navigate = useNavigate();
  async function logOut(): Promise<void> {
    setBusy(true);
    // The browser forgets the session even if the request fails, so there is no error to show.
    await browserClient().auth.signOut({ scope: "local" });
    await navigate(href("/admin"));
    // The next sign-in opens the dashboard.
    takeAskedPage();
    setBusy(false);
  }
  return (
    <Button look="plain" size="small" disabled={busy} onClick={() => void logOut()}>
      Logout
    </Button>
  );
}
