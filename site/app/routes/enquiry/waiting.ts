import { londonDate } from "../../time/london-date.ts";

/** The initial message of an enquiry from a full course date, given its start as an ISO instant; empty if that is invalid. */
export function waitingListMessage(start: string | null): string {
  if (start === null || Number.isNaN(Date.parse(start))) return "";
  const { long, time } = londonDate(start);
  return `Please put me on the waiting list for ${long}, ${time}. I need 1 place.`;
}
