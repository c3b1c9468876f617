import { pounds } from "../../course-dates/money.ts";
import type { RoutePlan } from "../../course-dates/route-plan.ts";

/** The cost of a plan: "£550 + licence fee". */
export function inAll({ total, licence }: Pick<RoutePlan, "total" | "licence">): string {
  return `${pounds(total.withUs)}${licence ? " + licence fee" : ""}`;
}
