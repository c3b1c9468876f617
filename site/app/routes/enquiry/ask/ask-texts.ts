import type { RequestedDate } from "./ask-date.ts";

type State = RequestedDate["state"];

/** The titles of the page of a date. */
export const TITLES: Record<State, string> = {
  place: "Ask for this place",
  waiting: "Join the waiting list",
  cancelled: "This date was cancelled",
  postponed: "This date was postponed",
  past: "This date has passed",
};

const LEADS: Record<State, string> = {
  place: "Tell us how to reach you. Sending this form books nothing yet and costs nothing.",
  waiting: "This date is full. Join the waiting list and we will call you when a place becomes free.",
  cancelled: "Please choose another date.",
  postponed: "The new date is not set yet.",
  past: "Please choose another date.",
};

/** The title of the page, before the request and after it. */
export function titleOf({ requested, sent }: { requested: RequestedDate | null | undefined; sent: { waiting: boolean } | null }): string {
  if (sent) return sent.waiting ? "You are on the waiting list" : "Thank you, we have your request";
  return TITLES[requested?.state ?? "place"];
}

/** The sentence below the title of the form. */
export function leadOf(state: State, holdHours: number | null): string {
  return state === "place" && holdHours !== null
    ? `Tell us how to reach you. We hold your place for ${holdHours} hours where we can; it costs nothing and books nothing yet.`
    : LEADS[state];
}
