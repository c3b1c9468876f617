import { londonDate, londonMoment } from "../../time/london-date.ts";

interface MomentProps {
  iso: string;
  /** Shows the day of the week. */
  weekday?: boolean;
  className?: string;
}

/** An instant in London time: "21 Nov 2026, 12:30", with the day of the week "Sat 21 Nov 2026, 12:30". */
export function Moment({ iso, weekday = false, className }: MomentProps) {
  const date = londonDate(iso);
  return (
    <time dateTime={date.instant} className={className}>
      {weekday && `${date.weekday} `}
      {londonMoment(date)}
    </time>
  );
}
