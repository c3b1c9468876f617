/** A duration as a countdown shows it. */
interface TimeLeft {
  days: number;
  hours: number;
  minutes: number;
  seconds: number;
}

/**
 * The time from `now` to `target`, both in milliseconds since 1970; null when it is reached.
 * A day is 24 hours: neither the visitor's time zone nor a clock change matters.
 */
export function timeLeft(target: number, now: number): TimeLeft | null {
  const seconds = Math.floor((target - now) / 1000);
  if (!(seconds > 0)) return null;
  return {
    days: Math.floor(seconds / 86_400),
    hours: Math.floor(seconds / 3600) % 24,
    minutes: Math.floor(seconds / 60) % 60,
    seconds: seconds % 60,
  };
}
