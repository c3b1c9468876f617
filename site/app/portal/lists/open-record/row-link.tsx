import type { KeyboardEvent, MouseEvent, ReactNode } from "react";
import { Link, useLocation, useNavigate, useSearchParams } from "react-router";
import { OPEN } from "./open-record.ts";
import styles from "./row-link.module.css";

interface RowLinkProps {
  id: string;
  /** The record in words that differ from those of the other rows. */
  what: string;
  /** The name of the record. */
  children: ReactNode;
}

/** Opens the record of a row in the side panel. The arrow keys move to the next row, and show it while the panel is open. */
export function RowLink({ id, what, children }: RowLinkProps) {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const { state } = useLocation();
  const isOpen = search.get(OPEN) === id;
  const addressOf = (record: string): string =>
    `?${new URLSearchParams([...[...search].filter(([name]) => name !== OPEN), [OPEN, record]])}`;

  function step(event: KeyboardEvent<HTMLAnchorElement>): void {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const links = rowLinks();
    const next = links[links.indexOf(event.currentTarget) + by];
    next?.focus();
    if (!search.has(OPEN) || next?.dataset["open"] === undefined) return;
    const options = { replace: true, preventScrollReset: true, state: { ...state, stays: true } };
    void navigate(addressOf(next.dataset["open"]), options);
  }

  return (
    <Link
      className={styles.link}
      data-open={id}
      aria-label={`Open ${what}`}
      aria-current={isOpen ? "true" : undefined}
      to={addressOf(id)}
      replace={search.has(OPEN)}
      state={search.has(OPEN) ? { ...state, stays: false } : { isFromList: true }}
      preventScrollReset
      onKeyDown={step}
    >
      {children}
    </Link>
  );
}

/** Opens the record of a clicked row, unless the click was meant for a control or for a text that is being selected. */
export function openClickedRow({ target }: MouseEvent<HTMLTableElement>): void {
  if (!(target instanceof Element) || target.closest("a, button, input, select, label, summary, dialog")) return;
  if (getSelection()?.isCollapsed === false) return;
  target.closest("tr")?.querySelector<HTMLElement>("a[data-open]")?.click();
}

function rowLinks(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>("main a[data-open]")];
}
