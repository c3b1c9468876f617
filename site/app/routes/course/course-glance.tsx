import type { Course } from "content/types.ts";
import type { CourseDate } from "../../course-dates/course-date.ts";
import { londonWeekday } from "../../time/london-date.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { noBreak } from "../../ui/no-break.ts";
import styles from "./course-glance.module.css";

/** The facts of a course in a few words each: length, price, location and limits. */
export function CourseGlance({ course, price, next }: { course: Course; price: string; next: CourseDate | undefined }) {
  const facts = [
    ["Duration", noBreak(course.duration)],
    ["Price", price],
    ["Next start", next],
    ["Level", course.level && noBreak(course.level)],
    ["Location", course.location],
    ["Group", course.maxStudents && `At most ${course.maxStudents} learners`],
    ["Age", course.minimumAge && `${course.minimumAge} or over`],
  ] as const;
  return (
    <dl className={styles.glance}>
      {facts.map(
        ([name, value]) =>
          value !== undefined && (
            <div
              key={name}
              className={name === "Next start" ? styles.next : name === "Price" || name === "Duration" ? styles.big : undefined}
            >
              <dt>{name}</dt>
              <dd className="number">{typeof value === "object" ? <NextStart next={value} /> : value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

function NextStart({ next: { date, places } }: { next: CourseDate }) {
  return (
    <>
      {londonWeekday(date)}
      <span className={styles.places}>{places}</span>
      <ButtonLink href="#dates" className={styles.book}>
        See dates and book
      </ButtonLink>
    </>
  );
}
