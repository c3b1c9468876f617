import type { ReactNode } from "react";
import { Link } from "react-router";
import { Button } from "../../ui/button.tsx";
import { Message } from "../../ui/message.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { usePromise } from "../frame/use-promise.ts";
import type { Part } from "./today-queries.ts";
import styles from "./today.module.css";

interface TodayPartProps<Row> {
  /** Unique on the page. */
  id: string;
  title: string;
  part: Promise<Part<Row>>;
  again: () => void;
  /** Said where there is nothing. */
  none: string;
  /** Where all of them are. */
  all: { to: string; label: string };
  renderRow: (row: Row) => ReactNode;
}

/** One part of today: its first lines, how many there are, and the way to all of them. */
export function TodayPart<Row extends { id: string }>({ id, title, part, again, none, all, renderRow }: TodayPartProps<Row>) {
  const answer = usePromise(part);
  return (
    <section className={styles.part} aria-labelledby={id}>
      <h2 id={id}>
        {title}
        {answer?.ok && answer.total > 0 && <span className={styles.total}> {answer.total}</span>}
      </h2>
      {!answer && <Spinner label={`Loading ${title.toLowerCase()}…`} />}
      {answer && !answer.ok && (
        <>
          <Message tone="error">
            <p>{answer.message}</p>
          </Message>
          <Button look="plain" size="small" onClick={again}>
            Try Again
          </Button>
        </>
      )}
      {answer?.ok && answer.rows.length === 0 && <p className={styles.none}>{none}</p>}
      {answer?.ok && answer.rows.length > 0 && (
        <ul className={styles.lines}>
          {answer.rows.map((row) => (
            <li key={row.id}>{renderRow(row)}</li>
          ))}
        </ul>
      )}
      <p className={styles.all}>
        <Link to={all.to}>{all.label}</Link>
      </p>
    </section>
  );
}
