import { londonDate } from "../../time/london-date.ts";

/** "21 Nov 2026, 12:30", of an ISO instant, as a clock in Cumbria shows it. */
export function Moment({ iso }: { iso: string }) {
  const { instant, day, month, year, time } = londonDate(iso);
  return (
    <time dateTime={instant}>
      {day} {month} {year}, {time}
    </time>
  );
}
