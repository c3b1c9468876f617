import { pounds } from "../../../course-dates/money.ts";
import { noBreak } from "../../../ui/no-break.ts";
import type { RequestedDate } from "./ask-date.ts";
import styles from "./date-ticket.module.css";

interface DateTicketProps {
  requested: RequestedDate;
  /** True after the request: the price, the places and the note are known. */
  brief?: boolean;
}

/** The course date that a request is about, in the design of the departure board. */
export function DateTicket({ requested: { course, date: courseDate, hours, state }, brief = false }: DateTicketProps) {
  const { date, lastDay, places, note } = courseDate;
  const facts = [
    ["Course", course.title],
    ["Hours", `${hours}${lastDay ? `, ${course.duration}` : ""}`],
    ["Last day", lastDay?.long],
    ["Price", brief ? undefined : `${pounds(course.price)} a place`],
    ["Places", brief || state === "past" ? undefined : places],
    ["Where", course.location],
    ["Please note", brief ? undefined : note],
  ] as const;
  return (
    <section className={styles.ticket} data-closed={state !== "place" && state !== "waiting"} aria-label="The date">
      <p className={styles.when}>
        <time dateTime={date.instant}>
          <span className={styles.day}>{date.day}</span>{" "}
          <span className={styles.month}>
            {date.weekday}
            <br />
            {date.month} {date.year}
          </span>
        </time>
      </p>
      <dl className={styles.facts}>
        {facts.map(
          ([name, value]) =>
            value && (
              <div key={name}>
                <dt>{name}</dt>
                <dd className="number">{noBreak(value)}</dd>
              </div>
            ),
        )}
      </dl>
    </section>
  );
}
