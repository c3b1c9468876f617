import { provider } from "content/provider.ts";
import { href } from "react-router";
import styles from "./header.module.css";

interface NavLink {
  href: string;
  label: string;
  /** The id of a dialog that a script opens instead of following the link. */
  dialog?: string;
}

const contact: NavLink = { href: "#contact", label: "Contact", dialog: "contact-dialog" };

const homeLinks: NavLink[] = [
  { href: "#top", label: "Home" },
  { href: "#courses", label: "Courses" },
  { href: "#testimonials", label: "Testimonials" },
  contact,
];

const otherLinks: NavLink[] = [
  { href: "/", label: "Home" },
  { href: href("/courses"), label: "Courses" },
  { href: href("/blog"), label: "Blog" },
  contact,
];

/** The bar at the top of every public page; on a narrow screen its links are a popover, which needs no script. */
export function Header({ path }: { path: string }) {
  return (
    <header className={styles.header}>
      <div className={styles.bar}>
        <a href="/" className={styles.name}>
          <img src="/favicon.svg" alt="" width="36" height="36" />
          {provider.name}
        </a>
        <button type="button" className={styles.toggle} popoverTarget="menu">
          <span className={styles.lines} aria-hidden="true" />
          Menu
        </button>
        <nav id="menu" className={styles.menu} popover="auto" aria-label="Main">
          <ul className={styles.links}>
            {(path === "/" ? homeLinks : otherLinks).map(({ href: target, label, dialog }) => (
              <li key={target}>
                <a
                  href={target}
                  data-dialog={dialog}
                  aria-haspopup={dialog === undefined ? undefined : "dialog"}
                  aria-current={current(target, path)}
                >
                  {label}
                </a>
              </li>
            ))}
            <li>
              <a href={href("/admin")} className={styles.portal}>
                Portal
              </a>
            </li>
          </ul>
        </nav>
      </div>
    </header>
  );
}

function current(target: string, path: string): "page" | "true" | undefined {
  if (target === path || target === "#top") return "page";
  return target !== "/" && path.startsWith(`${target}/`) ? "true" : undefined;
}
