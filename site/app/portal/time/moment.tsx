import { londonDate } from "../../time/london-date.ts";

/** An ISO instant in London time: "21 Nov 2026, 12:30". */
export function Moment({ iso }: { iso: string }) {
  const { instant, day, month, year, time } = londonDate(iso);
  return (
    <time dateTime={instant}>
      {day} {month} {year}, {time}
    </time>
  );
}
