import type { ReactNode } from "react";
import { pounds } from "../../course-dates/money.ts";
import type { RoutePlan } from "../../course-dates/route-plan.ts";
import { londonDay } from "../../time/london-date.ts";
import { noBreak } from "../../ui/no-break.ts";
import { FittingDates } from "./fitting-dates.tsx";
import { InAll } from "./in-all.tsx";
import { planAddress } from "./plan-address.ts";
import type { Step } from "./steps.ts";
import styles from "./plan-view.module.css";

interface PlanViewProps {
  plan: RoutePlan;
  steps: readonly Step[];
  holdsFirstAid: boolean;
}

/** The steps of a plan with the dates of its course, and the sum. */
export function PlanView({ plan, steps, holdsFirstAid }: PlanViewProps) {
  return (
    <div className={`wrap ${styles.plan}`}>
      <ol className={styles.steps}>
        {steps.map((step, index) => (
          <li key={step.id} id={`step-${index + 1}`} data-done={step.id === "first-aid" && holdsFirstAid ? "true" : undefined}>
            <h2>{noBreak(step.title)}</h2>
            {step.facts.length > 0 && <p className={styles.facts}>{step.facts.map((fact) => noBreak(fact)).join(" · ")}</p>}
            <ul className={styles.text}>
              {step.text.map((sentence) => (
                <li key={sentence}>{noBreak(sentence)}</li>
              ))}
            </ul>
            {step.id === "first-aid" && (
              <p>
                {holdsFirstAid ? (
                  <a href={planAddress(plan.goal.id)}>I need a certificate</a>
                ) : (
                  <a href={planAddress(plan.goal.id, true)}>I hold a valid certificate already</a>
                )}
              </p>
            )}
            {step.link && (
              <p>
                <a href={step.link.href}>{step.link.label}</a>
              </p>
            )}
            {step.id === "course" && <FittingDates plan={plan} />}
            {step.source && (
              <p className={styles.source}>
                Source: <a href={step.source.url}>{step.source.name}</a>, last checked on {londonDay(step.source.checked)}
              </p>
            )}
          </li>
        ))}
      </ol>
      <Sum plan={plan} />
    </div>
  );
}

function Sum({ plan }: { plan: RoutePlan }) {
  const { firstAidCourse, course, licence, total } = plan;
  return (
    <aside className={styles.sum} aria-labelledby="sum">
      <h2 id="sum">What it costs</h2>
      <dl>
        {firstAidCourse && <Row name="First aid" value={pounds(firstAidCourse.price)} />}
        <Row name={course.title} value={pounds(course.price)} />
        {firstAidCourse && licence && <Row name="With us" value={pounds(total.price)} strong />}
        {licence && <Row name="Licence, to the SIA" value={<a href={licence.apply}>fee on GOV.UK</a>} />}
        <Row name="In all" value={<InAll plan={plan} />} strong />
        <Row name="Days with us" value={course.days === 1 && !firstAidCourse ? course.duration : `${total.days} days`} />
      </dl>
      <p>For one person. This address keeps your choice: save it or send it to somebody.</p>
    </aside>
  );
}

function Row({ name, value, strong = false }: { name: string; value: ReactNode; strong?: boolean }) {
  return (
    <div className={strong ? styles.strong : undefined}>
      <dt>{name}</dt>
      <dd className="number">{typeof value === "string" ? noBreak(value) : value}</dd>
    </div>
  );
}
