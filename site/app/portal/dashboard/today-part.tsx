import { Link } from "react-router";
import { LoadStatus } from "../frame/load-status.tsx";
import { useLoaded } from "../frame/use-loaded.ts";
import { ContactLink } from "../lists/contact/contact-link.tsx";
import type { Part } from "./today-queries.ts";
import styles from "./today.module.css";

export interface Line {
  to: string;
  name: string;
  /** A phone number or an e-mail address. */
  contact?: string;
  detail: string;
}

interface TodayPartProps<Row> {
  /** Unique on the page. */
  id: string;
  title: string;
  part: Promise<Part<Row>>;
  retry: () => void;
  /** Shown if there are no rows. */
  none: string;
  /** Link to the whole list. */
  all?: { to: string; label: string };
  lineOf: (row: Row) => Line;
}

/** One thing to do: its first rows, the total and a link to the whole list; one line if there is nothing to do. */
export function TodayPart<Row extends { id: string }>({ id, title, part, retry, none, all, lineOf }: TodayPartProps<Row>) {
  const result = useLoaded(part);
  const rows = result?.ok ? result.rows : [];
  return (
    <section className={styles.part} aria-labelledby={id}>
      <h2 id={id}>
        {title}
        {result?.ok && result.total > 0 && <span className={styles.total}> {result.total}</span>}
      </h2>
      <LoadStatus result={result} label={`Loading ${title.toLowerCase()}…`} retry={retry} />
      {result?.ok && rows.length === 0 && <p className="soft">{none}</p>}
      {rows.length > 0 && (
        <ul className={styles.lines}>
          {rows.map((row) => {
            const { to, name, contact, detail } = lineOf(row);
            return (
              <li key={row.id}>
                <span className={styles.line}>
                  <Link to={to}>{name}</Link>
                  {contact !== undefined && (
                    <span className={styles.contact}>
                      <ContactLink contact={contact} />
                    </span>
                  )}
                </span>
                <span className="second">{detail}</span>
              </li>
            );
          })}
        </ul>
      )}
      {all && result?.ok && result.total > rows.length && (
        <p className="soft">
          <Link to={all.to}>{all.label}</Link>
        </p>
      )}
    </section>
  );
}
