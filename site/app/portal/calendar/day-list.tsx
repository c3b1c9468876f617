import { closedDay } from "../../time/closed-days.ts";
import { counted } from "../frame/counted.ts";
import styles from "./calendar.module.css";
import { DayButtons } from "./day-buttons.tsx";
import type { DaysProps } from "./month-table.tsx";
import { dayInWords } from "./queries.ts";

/** The days on which something runs, the bank holidays and the closures of the office; the past days of this month are folded. */
export function DayList({ days, rows, open, today }: DaysProps & { today: string }) {
  const shown = days.filter((day) => closedDay(day) !== undefined || rows.some((row) => row.days.includes(day)));
  if (shown.length === 0) return <p className="soft">Nothing runs in this month.</p>;
  const later = days.includes(today) ? shown.findIndex((day) => day >= today) : 0;
  const past = shown.slice(0, later === -1 ? shown.length : later);
  return (
    <>
      {past.length > 0 && (
        <details className={styles.past}>
          <summary>Earlier this month ({counted(past.length, "day")})</summary>
          <Days days={past} rows={rows} open={open} />
        </details>
      )}
      <Days days={shown.slice(past.length)} rows={rows} open={open} />
    </>
  );
}

function Days({ days, rows, open }: DaysProps) {
  return (
    <ol className={styles.list}>
      {days.map((day) => (
        <li key={day}>
          <h3>
            {dayInWords(day)}
            {closedDay(day) !== undefined && <span className={styles.holiday}>{closedDay(day)}</span>}
          </h3>
          <div>
            <DayButtons day={day} rows={rows} open={open} />
          </div>
        </li>
      ))}
    </ol>
  );
}
