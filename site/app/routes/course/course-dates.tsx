import { provider } from "content/provider.ts";
import type { Course } from "content/types.ts";
import { href } from "react-router";
import type { CourseDate } from "../../course-dates/course-date.ts";
import { ContactBlock } from "../../frame/contact-block.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { AskLink } from "./ask-link.tsx";
import styles from "./course-dates.module.css";

/** The upcoming dates of one course, each with the ways to book it. */
export function CourseDates({ course, dates }: { course: Course; dates: readonly CourseDate[] }) {
  return (
    <section aria-labelledby="dates" className={styles.dates}>
      <h2 id="dates">Next dates</h2>
      {dates.length === 0 && (
        <div className={styles.none}>
          <p>No dates are set for this course at the moment. Please contact the office: we can tell you when the next one is planned.</p>
          <ContactBlock variant="inline" />
        </div>
      )}
      <ol className={styles.list}>
        {dates.map((date) => (
          <li key={date.id} className={styles[date.availability]}>
            <CourseDateRow course={course} courseDate={date} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function CourseDateRow({ course, courseDate }: { course: Course; courseDate: CourseDate }) {
  const { id, date, lastDay, availability, places, note } = courseDate;
  const about = `${course.title}, ${date.long}, ${date.time}`;
  return (
    <article className={styles.row} aria-label={about}>
      <h3 className={styles.when}>
        <time dateTime={date.instant}>
          <span className={styles.day}>{date.day}</span>
          <span className={styles.month}>
            {date.weekday}
            <br />
            {date.month} {date.year}
          </span>
        </time>
      </h3>
      <p className={styles.facts}>
        <span className="number">{date.time}</span>
        {lastDay && `, until ${lastDay.long}`}, {courseDate.course.location}. <strong>{places}</strong>.
        {note && ` ${note.replace(/\.$/, "")}.`}
      </p>
      <p className={styles.actions}>
        {(availability === "open" || availability === "full") && <AskLink dateId={id} full={availability === "full"} about={about} />}
        {availability === "open" && (
          <ButtonLink href={provider.phoneHref} look="plain" aria-label={`Call to Book: ${about}`}>
            Call to Book
          </ButtonLink>
        )}
        <ButtonLink href={`mailto:${provider.email}?subject=${encodeURIComponent(about)}`} look="plain" aria-label={`Email Us: ${about}`}>
          Email Us
        </ButtonLink>
        {(availability === "open" || availability === "full") && (
          <a href={href("/calendar/:file", { file: `${id}.ics` })} className={styles.calendar}>
            Add to calendar<span className="visually-hidden">: {about}</span>
          </a>
        )}
      </p>
    </article>
  );
}
