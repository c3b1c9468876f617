import { goals } from "content/rules/goals.ts";
import { planAddress } from "./plan-address.ts";
import styles from "./route.module.css";

/** The goals as links; the chosen one is marked. */
export function GoalList({ chosen, holdsFirstAid }: { chosen: string | undefined; holdsFirstAid: boolean }) {
  return (
    <nav aria-label="Goals">
      <ul className={styles.goals}>
        {goals.map(({ id, label }) => (
          <li key={id}>
            <a href={planAddress(id, holdsFirstAid)} aria-current={id === chosen ? "true" : undefined}>
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
