import { closedDay } from "../../time/closed-days.ts";
import styles from "./calendar.module.css";
import { DayButtons } from "./day-buttons.tsx";
import type { DaysProps } from "./month-table.tsx";
import { dayInWords } from "./queries.ts";

/** The days on which something runs, the bank holidays and the closures of the office. */
export function DayList({ days, rows, open }: DaysProps) {
  const shown = days.filter((day) => closedDay(day) !== undefined || rows.some((row) => row.days.includes(day)));
  if (shown.length === 0) return <p className="soft">Nothing runs in this month.</p>;
  return (
    <ol className={styles.list}>
      {shown.map((day) => (
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
