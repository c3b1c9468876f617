import type { ReactNode } from "react";
import { countText } from "./figures.ts";
import styles from "./count-table.module.css";

export interface CountTableProps {
  caption: string;
  /** The heading of the names, then one for each count. */
  headings: readonly string[];
  rows: readonly { key: string; name: ReactNode; counts: readonly number[] }[];
  /** Shows a bar for the first count of each row. */
  bars?: boolean;
}

/** A table of names and their counts. */
export function CountTable({ caption, headings, rows, bars = false }: CountTableProps) {
  const most = Math.max(...rows.map(({ counts: [first = 0] }) => first), 1);
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">{caption}</caption>
      <thead className={bars ? "visually-hidden" : undefined}>
        <tr>
          {headings.map((heading) => (
            <th key={heading} scope="col">
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, name, counts }) => (
          <tr key={key}>
            <th scope="row">
              {name}
              {bars && (
                <svg className={styles.bar} viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
                  <rect width={(100 * (counts[0] ?? 0)) / most} height="4" />
                </svg>
              )}
            </th>
            {counts.map((count, index) => (
              <td key={headings[index + 1]} className="number">
                {countText(count)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
