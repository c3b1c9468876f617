import type { ReactNode } from "react";
import { countText } from "./figures.ts";
import styles from "./tables.module.css";

interface Ranked {
  key: string;
  name: ReactNode;
  views: number;
}

/** A table of names and their views, with a bar for each. */
export function RankedTable({ caption, heading, rows }: { caption: string; heading: string; rows: readonly Ranked[] }) {
  const most = Math.max(...rows.map((row) => row.views), 1);
  return (
    <table className={styles.ranked}>
      <caption className="visually-hidden">{caption}</caption>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">{heading}</th>
          <th scope="col">Views</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, name, views }) => (
          <tr key={key}>
            <th scope="row">
              {name}
              <svg className={styles.bar} viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
                <rect width={(100 * views) / most} height="4" />
              </svg>
            </th>
            <td className="number">{countText(views)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
