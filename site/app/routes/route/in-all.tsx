import { pounds } from "../../course-dates/money.ts";
import type { RoutePlan } from "../../course-dates/route-plan.ts";
import styles from "./in-all.module.css";

/** The cost of a plan: "£550 + licence fee". */
export function InAll({ plan: { total, licence } }: { plan: RoutePlan }) {
  return (
    <>
      {pounds(total.price)}
      {licence && (
        <>
          {" "}
          <span className={styles.fee}>+ licence fee</span>
        </>
      )}
    </>
  );
}
