import { londonDate } from "../../time/london-date.ts";
import { courseDateStatus, STATUS_LABELS } from "../bookable-dates/course-date-status.ts";
import styles from "./calendar.module.css";
import { dayInWords, type CalendarDate } from "./queries.ts";

/** Course dates with the days on which each runs. */
export interface DatesProps {
  rows: readonly { date: CalendarDate; days: readonly string[] }[];
  /** Opens a date, with a day to move it to. */
  open: (date: CalendarDate, day: string) => void;
}

/** The course dates that run on a day. */
export function DayButtons({ day, rows, open }: DatesProps & { day: string }) {
  return rows
    .filter((row) => row.days.includes(day))
    .map(({ date, days }) => (
      <DateButton
        key={date.id}
        date={date}
        day={day}
        number={days.indexOf(day) + 1}
        count={days.length}
        onOpen={() => open(date, days[0] ?? day)}
      />
    ));
}

interface DateButtonProps {
  date: CalendarDate;
  day: string;
  /** The number of the day in the course, from 1. */
  number: number;
  count: number;
  onOpen: () => void;
}

/** A course date on one of its days; its first day can be dragged to another one. */
function DateButton({ date, day, number, count, onOpen }: DateButtonProps) {
  const { id, course_name, course_date, capacity, places_taken } = date;
  const status = courseDateStatus(date);
  const first = number === 1;
  return (
    <button
      type="button"
      className={first ? styles.date : `${styles.date} ${styles.later}`}
      data-status={status}
      draggable={first}
      onDragStart={(event) => event.dataTransfer.setData("text/plain", id)}
      onClick={onOpen}
    >
      {first && <span className={styles.time}>{`${londonDate(course_date).time} `}</span>}
      <span className={styles.name}>{course_name}</span>
      <span className={styles.places}>
        {count > 1 && `day ${number} of ${count}${first ? ", " : ""}`}
        {first && `${places_taken} of ${capacity}`}
        {first && status !== "open" && `, ${STATUS_LABELS[status].toLowerCase()}`}
      </span>
      <span className="visually-hidden">{`, ${dayInWords(day)}`}</span>
    </button>
  );
}
