import { timeLeft } from "./time-left.ts";

interface DaysLeftProps {
  /** An ISO instant. */
  target: string;
  /** When the page was rendered, in milliseconds since 1970. */
  now: number;
  className?: string | undefined;
}

/** The whole days until an instant, for dates without a countdown. */
export function DaysLeft({ target, now, className }: DaysLeftProps) {
  return <p className={className}>{daysLeft(target, now)}</p>;
}

/** The text of `DaysLeft`. */
export function daysLeft(target: string, now: number): string {
  const days = timeLeft(Date.parse(target), now)?.days ?? 0;
  return days < 2 ? "very soon" : `in ${days}\u00A0days`;
}
