import { bankHoliday } from "../../time/bank-holidays.ts";
import styles from "./calendar.module.css";
import { DateButton } from "./date-button.tsx";
import type { DaysProps } from "./month-table.tsx";
import { dayInWords } from "./queries.ts";

/** The days on which something runs, and the bank holidays. */
export function DayList({ days, rows, open }: DaysProps) {
  const shown = days.filter((day) => bankHoliday(day) !== undefined || rows.some((row) => row.days.includes(day)));
  if (shown.length === 0) return <p className="soft">Nothing runs in this month.</p>;
  return (
    <ol className={styles.list}>
      {shown.map((day) => (
        <li key={day}>
          <h3>
            {dayInWords(day)}
            {bankHoliday(day) !== undefined && <span className={styles.holiday}>{bankHoliday(day)}</span>}
          </h3>
          <div>
            {rows
              .filter((row) => row.days.includes(day))
              .map(({ date, days: runs }) => (
                <DateButton
                  key={date.id}
                  date={date}
                  number={runs.indexOf(day) + 1}
                  count={runs.length}
                  onOpen={() => open(date, runs[0] ?? day)}
                />
              ))}
          </div>
        </li>
      ))}
    </ol>
  );
}
