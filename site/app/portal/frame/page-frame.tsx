import { provider } from "content/provider.ts";
import { useRef, type ReactNode } from "react";
import { Link, NavLink } from "react-router";
import { areas } from "../areas.ts";
import { DiskNotice } from "./disk-notice.tsx";
import { useFocusHeading } from "./focus-heading.ts";
import { LogoutButton } from "./logout-button.tsx";
import { Notice } from "./notice.tsx";
import type { Outcome } from "./outcome.ts";
import styles from "./page-frame.module.css";
import "./portal.css";

interface PageFrameProps {
  title: string;
  /** The e-mail address of the signed-in person; shows the logout button. */
  email?: string | undefined;
  /** Shows links to the dashboard and to all areas. */
  back?: boolean;
  /** The primary action of the page. */
  action?: ReactNode;
  /** The result of the last action. */
  notice?: Outcome | null;
  /** Runs the undo of the notice. */
  act?: (action: () => Promise<Outcome>) => Promise<void>;
  /** True while the page loads. */
  waiting?: boolean;
  children: ReactNode;
}

/** The frame of every portal page: navigation, heading, primary action and notice. */
export function PageFrame({ title, email, back = false, action, notice = null, act, waiting = false, children }: PageFrameProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusHeading(heading, title, waiting);
  return (
    <>
      <header className={styles.bar}>
        <div className={`wrap ${styles.barRow}`}>
          <a className={styles.brand} href="/">
            {provider.name}
          </a>
          <span className={styles.place}>Staff portal</span>
          {email !== undefined && (
            <div className={styles.account}>
              <Link className={styles.email} to="/admin/profile" aria-label={`My profile, ${email}`}>
                {email}
              </Link>
              <LogoutButton />
            </div>
          )}
        </div>
        {back && (
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
          {back && (
            <Link className={styles.back} to="/admin">
              Back to Dashboard
            </Link>
          )}
          <h1 ref={heading} tabIndex={-1} className={styles.title}>
            {title}
          </h1>
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
