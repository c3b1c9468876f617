import type { Course } from "content/types.ts";
import type { CourseDate } from "../../course-dates/course-date.ts";
import { noBreak } from "../../ui/no-break.ts";
import styles from "./course-glance.module.css";

/** The facts of a course in a few words each: length, price, location and limits. */
export function CourseGlance({ course, price, next }: { course: Course; price: string; next: CourseDate | undefined }) {
  const facts = [
    ["Duration", course.duration],
    ["Price", price],
    ["Next start", next ? `${next.date.weekday} ${next.date.day} ${next.date.month} ${next.date.year}` : undefined],
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
            <div key={name} className={name === "Price" || name === "Duration" ? styles.big : undefined}>
              <dt>{name}</dt>
              <dd className="number">{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
