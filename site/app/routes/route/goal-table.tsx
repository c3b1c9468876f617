import type { RoutePlan } from "../../course-dates/route-plan.ts";
import { noBreak } from "../../ui/no-break.ts";
import { InAll } from "./in-all.tsx";
import { planAddress } from "./plan-address.ts";
import { stepsOf } from "./steps.ts";
import styles from "./route.module.css";

/** Goals with their steps, teaching days and costs, for a visitor who needs first aid too. */
export function GoalTable({ plans }: { plans: readonly RoutePlan[] }) {
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">All goals with their steps, days and costs</caption>
      <thead>
        <tr>
          <th scope="col">Goal</th>
          <th scope="col">Steps</th>
          <th scope="col">Days with us</th>
          <th scope="col">In all</th>
        </tr>
      </thead>
      <tbody>
        {plans.map((plan) => (
          <tr key={plan.goal.id}>
            <th scope="row">
              <a href={planAddress(plan.goal.id)}>{plan.goal.label}</a>
            </th>
            <td>
              {stepsOf(plan)
                .map(({ label }) => label)
                .join(", ")}
            </td>
            <td className="number">{noBreak(plan.total.days === 1 ? "1 day" : `${plan.total.days} days`)}</td>
            <td className="number">
              <InAll plan={plan} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
