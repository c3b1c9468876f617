import { Arrow } from "../sign.tsx";
import styles from "./pager.module.css";

/** One page of a list. */
export interface ListPage<Item> {
  items: readonly Item[];
  /** The number of the page, from 1. */
  page: number;
  last: number;
}

/** The page of a list that an address names with `page`: the first or the last one for a number out of range. */
export function pageOf<Item>(items: readonly Item[], search: URLSearchParams, size: number): ListPage<Item> {
  const last = Math.max(1, Math.ceil(items.length / size));
  const page = Math.min(last, Math.max(1, Math.trunc(Number(search.get("page"))) || 1));
  return { items: items.slice((page - 1) * size, page * size), page, last };
}

interface PagerProps {
  label: string;
  /** The words of the links to the page before and after. */
  words?: readonly [before: string, after: string];
  page: number;
  last: number;
  /** The address of a page; undefined for the first. */
  to: (page: string | undefined) => string;
}

const BY_DATE = ["Earlier", "Later"] as const;

/** Links to the pages beside one; nothing if there is only one. */
export function Pager({ label, words: [before, after] = BY_DATE, page, last, to }: PagerProps) {
  if (last === 1) return null;
  return (
    <nav aria-label={label} className={styles.pager}>
      {page > 1 && (
        <a href={to(page === 2 ? undefined : String(page - 1))} rel="prev">
          <Arrow to="left" /> {before}
        </a>
      )}
      <span>{`Page ${page} of ${last}`}</span>
      {page < last && (
        <a href={to(String(page + 1))} rel="next">
          {after} <Arrow to="right" />
        </a>
      )}
    </nav>
  );
}
