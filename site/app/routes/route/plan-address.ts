import { href } from "react-router";

/** The address of the plan for a goal. */
export function planAddress(goalId: string, holdsFirstAid = false): string {
  return `${href("/route")}?${new URLSearchParams({ goal: goalId, ...(holdsFirstAid && { "first-aid": "held" }) })}`;
}
