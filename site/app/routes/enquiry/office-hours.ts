import type { Provider } from "content/types.ts";
import { closedDay } from "../../time/closed-days.ts";
import { londonDate } from "../../time/london-date.ts";
import { LONDON } from "../../time/london-time.ts";

const WEEK = 7;
const YEAR = 366;

/** A sentence that says that the office is open, or when it opens next, in London. */
export function officeAnswer(now: Temporal.Instant, { days, opens, closes }: Provider["openingHours"]): string {
  const here = now.toZonedDateTimeISO(LONDON);
  const time = here.toPlainTime();
  for (let ahead = 0; ahead < YEAR; ahead += 1) {
    const day = here.add({ days: ahead });
    const { long } = londonDate(day.toInstant().toString());
    const weekday = days.find((name) => long.startsWith(name));
    if (weekday === undefined || closedDay(day.toPlainDate().toString()) !== undefined) continue;
    if (ahead > 0) return `The office opens ${ahead === 1 ? "tomorrow" : `on ${ahead < WEEK ? weekday : long}`} at ${opens}.`;
    if (Temporal.PlainTime.compare(time, opens) < 0) return `The office opens today at ${opens}.`;
    if (Temporal.PlainTime.compare(time, closes) < 0) return `The office is open now, until ${closes}.`;
  }
  return "";
}
