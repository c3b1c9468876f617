import { provider } from "content/provider.ts";
import type { Month } from "content/date-filters.ts";
import type { Course } from "content/types.ts";
import { href } from "react-router";
import type { CourseDate } from "../../course-dates/course-date.ts";
import { ContactBlock } from "../../frame/contact-block.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { FilterLinks } from "../../ui/list-links/filter-links.tsx";
import { Pager, type ListPage } from "../../ui/list-links/pager.tsx";
import { queryHref } from "../../ui/list-links/query-href.ts";
import { AskLink } from "./ask-link.tsx";
import styles from "./course-dates.module.css";

/** A page of the dates of a course, of one month if a visitor chose one. */
export interface ShownDates extends ListPage<CourseDate> {
  month: Month | undefined;
  monthsWithDates: readonly { value: Month; label: string }[];
}

const FIRST = 3;

/** The upcoming dates of one course, each with the ways to book it. */
export function CourseDates({ course, shown }: { course: Course; shown: ShownDates }) {
  const { items, month, monthsWithDates, page, last } = shown;
  const to = (change: Record<string, string | undefined>): string => queryHref(course.link, { month, ...change }, "#dates");
  const later = items.slice(FIRST);
  return (
    <section aria-labelledby="dates" className={styles.dates}>
      <h2 id="dates">Next dates</h2>
      {monthsWithDates.length === 0 && (
        <div className={styles.none}>
          <p>No dates are set for this course at the moment. Please contact the office: we can tell you when the next one is planned.</p>
          <ContactBlock variant="inline" />
        </div>
      )}
      {monthsWithDates.length > 1 && (
        <div className={styles.filter}>
          <FilterLinks label="Month" all="All" options={monthsWithDates} chosen={month} to={(chosen) => to({ month: chosen })} />
        </div>
      )}
      {monthsWithDates.length > 0 && items.length === 0 && (
        <p className={styles.none}>
          <span>
            No date in this month. <a href={to({ month: undefined })}>Show all dates</a>
          </span>
        </p>
      )}
      <Rows course={course} dates={items.slice(0, FIRST)} />
      {later.length > 0 && (
        <details className={styles.later}>
          <summary>{later.length === 1 ? "Show one later date" : `Show ${later.length} later dates`}</summary>
          <Rows course={course} dates={later} />
        </details>
      )}
      <Pager label="Pages of dates" page={page} last={last} to={(number) => to({ page: number })} />
    </section>
  );
}

function Rows({ course, dates }: { course: Course; dates: readonly CourseDate[] }) {
  return (
    <ol className={styles.list}>
      {dates.map((date) => (
        <li key={date.id} className={styles[date.availability]}>
          <CourseDateRow course={course} courseDate={date} />
        </li>
      ))}
    </ol>
  );
}

function CourseDateRow({ course, courseDate }: { course: Course; courseDate: CourseDate }) {
  const { id, date, lastDay, hours, week, elsewhere, availability, places, note } = courseDate;
  const about = `${course.title}, ${date.long}, ${date.time}`;
  return (
    <article className={styles.row} aria-label={about}>
      <h3 className={styles.when}>
        <time dateTime={date.instant}>
          <span className="visually-hidden">{date.long}</span>
          <span className={styles.day} aria-hidden="true">
            {date.day}
          </span>
          <span className={styles.month} aria-hidden="true">
            {date.weekday}
            <br />
            {date.month} {date.year}
          </span>
        </time>
      </h3>
      <p className={styles.facts}>
        <span className="number">{hours}</span>
        {lastDay && `, until ${lastDay.long}`}, {week}
        {elsewhere && `, ${courseDate.course.location}`}. <strong>{places}</strong>.{note && ` ${note.replace(/\.$/, "")}.`}
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
