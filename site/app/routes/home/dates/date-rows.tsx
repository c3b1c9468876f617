import type { ReactNode } from "react";
import { href } from "react-router";
import type { CourseDate } from "../../../course-dates/course-date.ts";
import { useConstantContent } from "../../../document/server-content.ts";
import { daysLeft } from "../../../time/days-left.ts";
import { londonToday } from "../../../time/london-time.ts";
import { Countdown } from "../../../ui/countdown/countdown.tsx";
import styles from "./upcoming-dates.module.css";

interface RowsProps {
  dates: readonly CourseDate[];
  /** The date with a countdown. */
  counted?: CourseDate | undefined;
  now: number;
}

/** Course dates as rows of the departure board. */
export function DateRows({ dates, counted, now }: RowsProps) {
  const constant = useConstantContent();
  const today = londonToday(now);
  return (
    <ol className={styles.rows}>
      {dates.map((date) => {
        const { instant } = date.date;
        const left = daysLeft(date.firstDay, today);
        const content =
          date === counted
            ? { children: <Row courseDate={date} start={<Countdown target={instant} now={now} />} /> }
            : constant(<Row courseDate={date} start={<p className={styles.left}>{left}</p>} />, JSON.stringify([date, left]));
        return <li key={date.id} className={styles.row} {...content} />;
      })}
    </ol>
  );
}

function Row({ courseDate, start }: { courseDate: CourseDate; start: ReactNode }) {
  const { id, date, lastDay, hours, week, course, availability, places, note, elsewhere } = courseDate;
  return (
    <>
      <time dateTime={date.instant} className={styles.when}>
        <span className={styles.day}>{date.day}</span>{" "}
        <span className={styles.month}>
          {date.month}
          <span className={styles.weekday}>{` ${date.weekday} ${date.time}`}</span>
        </span>
      </time>
      <div className={styles.what}>
        <h3 data-colour={course.colour}>
          <a href={course.link}>{course.title}</a>
        </h3>
        <p className={styles.where}>
          <span>{`${lastDay ? `until ${lastDay.short}, ` : ""}${hours}, ${week}`}</span>
          {elsewhere && <span className={styles.note}>{course.location}</span>}
          {note && <span className={styles.note}>{note}</span>}
        </p>
      </div>
      <p className={styles.facts}>
        <span>{course.duration}</span> <strong>{course.price}</strong> <span>{places}</span>
      </p>
      {start}
      <a href={href("/ask/:dateId", { dateId: id })} className={styles.action}>
        {availability === "open" ? "Ask for this place" : "Waiting list"}
        <span className="visually-hidden">{`: ${course.title}, ${date.long}`}</span>
      </a>
    </>
  );
}
