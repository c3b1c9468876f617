import { useState, type DragEvent } from "react";
import { closedDay } from "../../time/closed-days.ts";
import styles from "./calendar.module.css";
import { DayButtons, type DatesProps } from "./day-buttons.tsx";
import { weeksOf } from "./days.ts";

const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** Days, and the course dates that run on them. */
export interface DaysProps extends DatesProps {
  days: readonly string[];
}

/** Weeks as rows of a table; a date is dragged to another day to move it there. */
export function MonthTable({ days, rows, open, today, month }: DaysProps & { today: string; month: string | null }) {
  const [over, setOver] = useState<string | null>(null);

  function drop(event: DragEvent, day: string): void {
    event.preventDefault();
    setOver(null);
    const id = event.dataTransfer.getData("text/plain");
    const row = rows.find(({ date }) => date.id === id);
    if (row) open(row.date, day);
  }

  return (
    <table className={month === null ? `${styles.table} ${styles.week}` : styles.table}>
      <caption className="visually-hidden">Course dates</caption>
      <thead>
        <tr>
          {WEEKDAYS.map((weekday) => (
            <th key={weekday} scope="col">
              {weekday}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOf(days).map((week) => (
          <tr key={week[0]}>
            {week.map((day) => (
              <td
                key={day}
                className={classOf(day, month, today)}
                data-over={day === over}
                onDragOver={(event) => {
                  event.preventDefault();
                  setOver(day);
                }}
                onDragLeave={() => setOver(null)}
                onDrop={(event) => drop(event, day)}
              >
                <time className={styles.number} dateTime={day} aria-current={day === today ? "date" : undefined}>
                  {Number(day.slice(8))}
                </time>
                {closedDay(day) !== undefined && <span className={styles.holiday}>{closedDay(day)}</span>}
                <DayButtons day={day} rows={rows} open={open} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function classOf(day: string, month: string | null, today: string): string {
  const outside = month !== null && !day.startsWith(month);
  return [outside && styles.outside, day === today && styles.today].filter(Boolean).join(" ");
}
