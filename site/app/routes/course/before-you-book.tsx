import type { Course } from "content/types.ts";
import { href } from "react-router";
import { pounds } from "../../course-dates/money.ts";
import type { RoutePlan } from "../../course-dates/route-plan.ts";
import { noBreak } from "../../ui/no-break.ts";
import styles from "./before-you-book.module.css";

/** The steps to the goal of a course from its route plan, or the prerequisites of a course without a goal. */
export function BeforeYouBook({ course, plan }: { course: Course; plan: RoutePlan | null }) {
  return (
    <div className={styles.panel} role="group" aria-labelledby="before">
      <h2 id="before">Before you book</h2>
      {plan ? (
        <PlanSummary plan={plan} />
      ) : (
        <ul className={styles.needs}>
          {course.prerequisites.map((item) => (
            <li key={item}>{noBreak(item)}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

function PlanSummary({ plan }: { plan: RoutePlan }) {
  const { goal, course, firstAidRule, firstAidCourse, eLearning, licence, total, options } = plan;
  const next = options.find(({ fits }) => fits);
  return (
    <>
      <ol className={styles.steps}>
        {firstAidRule && firstAidCourse && (
          <li>
            <a href={firstAidCourse.link}>{firstAidCourse.title}</a>, {noBreak(firstAidCourse.duration)}, {pounds(firstAidCourse.price)}. Or
            hold an equivalent certificate with {noBreak(`${firstAidRule.monthsLeft} months`)} left.
          </li>
        )}
        {eLearning && <li>{eLearning.modules.join(" and ")}, free e-learning.</li>}
        <li>
          <strong>This course</strong>, {noBreak(course.duration)}, {pounds(course.price)}.
        </li>
        {licence && (
          <li>
            <a href={licence.apply}>{licence.renewal ? "Renewal of the licence" : "The licence"}</a>: the fee is paid to the SIA.
          </li>
        )}
        <li>{goal.arrival.title}.</li>
      </ol>
      <div className={styles.sum}>
        <p>
          <strong>{pounds(total.price)}</strong> {licence ? "with us, and the licence fee" : "in all"}
        </p>
        {next?.firstAid && (
          <p>
            In time: first aid on <a href={href("/ask/:dateId", { dateId: next.firstAid.id })}>{noBreak(shortDay(next.firstAid.date))}</a>,
            this course from <a href={href("/ask/:dateId", { dateId: next.start.id })}>{noBreak(shortDay(next.start.date))}</a>.
          </p>
        )}
        {firstAidCourse && !next && options.length > 0 && <p>No first-aid date ends before the next dates: call us if you need one.</p>}
        <p>
          <a href={`${href("/route")}?goal=${goal.id}`}>See the whole route</a>
        </p>
      </div>
    </>
  );
}

function shortDay({ day, month, year }: { day: string; month: string; year: string }): string {
  return `${day} ${month} ${year}`;
}
