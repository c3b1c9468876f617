import { provider } from "content/provider.ts";
import { href } from "react-router";
import type { CourseDate } from "../../course-dates/course-date.ts";
import type { RoutePlan } from "../../course-dates/route-plan.ts";
import { londonWeekday } from "../../time/london-date.ts";
import { planAddress } from "./plan-address.ts";
import styles from "./fitting-dates.module.css";

const MOST_SHOWN = 4;

/** The next dates of the course, each with the first-aid date before it. */
export function FittingDates({ plan }: { plan: RoutePlan }) {
  const { options, firstAidCourse, goal, course } = plan;
  const fitting = options.filter(({ fits }) => fits).slice(0, MOST_SHOWN);
  const early = options.filter(({ fits }) => !fits);
  return (
    <section className={styles.dates} aria-labelledby="fitting">
      <h3 id="fitting">{firstAidCourse ? "Dates that fit together" : "Next dates"}</h3>
      {fitting.length === 0 && (
        <p className={styles.none}>
          {early.length === 0 ? "No date with places is set at the moment." : "No first-aid date ends before the next course dates."} Call
          us on <a href={provider.phoneHref}>{provider.phone}</a> or{" "}
          <a href={`${href("/enquiry")}?course=${course.id}`}>ask us for a date</a>.
        </p>
      )}
      <ol className={styles.options}>
        {fitting.map((option) => (
          <li key={option.start.id}>
            {option.firstAid && <Leg name="First aid" courseDate={option.firstAid} />}
            <Leg name={course.title} courseDate={option.start} />
          </li>
        ))}
      </ol>
      {early.length > 0 && (
        <p className={styles.none}>
          Without a first-aid date before {early.length === 1 ? "it" : "them"}:{" "}
          {early.map(({ start }) => londonWeekday(start.date)).join("; ")}. For these you need a certificate already:{" "}
          <a href={planAddress(goal.id, true)}>show all dates</a>.
        </p>
      )}
    </section>
  );
}

function Leg({ name, courseDate: { id, date, lastDay, places } }: { name: string; courseDate: CourseDate }) {
  return (
    <article className={styles.leg} aria-label={`${name}, ${date.long}`}>
      <p className={styles.when}>
        <time dateTime={date.instant}>
          <span className={styles.day}>{date.day}</span> {date.month} <span className={styles.soft}>{date.weekday}</span>
        </time>
      </p>
      <p>
        <strong>{name}</strong>
        <span className={styles.soft}>
          {date.time}
          {lastDay && `, until ${lastDay.long}`}. {places}.
        </span>
      </p>
      <a href={href("/ask/:dateId", { dateId: id })} className={styles.ask}>
        Ask for this place<span className="visually-hidden">{`: ${name}, ${date.long}`}</span>
      </a>
    </article>
  );
}
