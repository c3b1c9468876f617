import { Suspense, useState } from "react";
import { href, Link, useLocation, useNavigate } from "react-router";
import { browserClient } from "../../supabase/supabase.client.ts";
import { runningDays } from "../../time/last-day.ts";
import { londonDay } from "../../time/london-date.ts";
import { londonToday } from "../../time/london-time.ts";
import { Button } from "../../ui/button.tsx";
import { areaTitle } from "../areas.ts";
import { lazyPart } from "../frame/lazy-part.tsx";
import { LoadStatus } from "../frame/load-status.tsx";
import { PageFrame } from "../frame/page-frame.tsx";
import { useNotice } from "../frame/use-notice.ts";
import { useLoaded } from "../frame/use-loaded.ts";
import { useFollowChanges } from "../live/use-follow-changes.ts";
import styles from "./calendar.module.css";
import { DayList } from "./day-list.tsx";
import { dayOf, daysOf, isView, stepped, VIEWS, type View } from "./days.ts";
import { MonthTable } from "./month-table.tsx";
import { listDates, type CalendarDate } from "./queries.ts";
import type { Route } from "./+types/calendar";

// Lazy: it contains the catalogue of courses, whose hours may clash.
const MoveDialog = lazyPart(() => import("./move-dialog.tsx"));

const month = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const search = new URL(request.url).searchParams;
  const requested = search.get("view");
  // A month does not fit on a phone.
  const view = isView(requested) ? requested : matchMedia("(width < 44rem)").matches ? "list" : "month";
  const today = londonToday(Date.now());
  const day = dayOf(search.get("day"), today);
  const days = daysOf(view, day);
  return { view, day, days, today, dates: listDates(browserClient(), days) };
}

/** The course dates by month, by week or as a list, each of which can be moved to another day. */
export default function Calendar({ loaderData: { view, day, days, dates, today } }: Route.ComponentProps) {
  const { notice, show, act } = useNotice();
  const [moving, setMoving] = useState<{ date: CalendarDate; day: string } | null>(null);
  const navigate = useNavigate();
  useFollowChanges(["course_dates"]);
  // The days are the scope, so that the dates of another month are never shown in this one.
  const result = useLoaded(dates, String(days));
  const rows = (result?.ok ? result.rows : []).map((date) => ({ date, days: runningDays(date) }));
  const shared = { days, rows, open: (date: CalendarDate, target: string) => setMoving({ date, day: target }) };
  return (
    <PageFrame
      title={areaTitle(useLocation().pathname)}
      notice={notice}
      act={act}
      action={<Button onClick={() => void navigate(`${href("/admin/courses")}?new`)}>Add course date</Button>}
    >
      <div className={styles.bar}>
        <h2 aria-live="polite">{view === "week" ? `Week of ${londonDay(days[0] ?? day)}` : month.format(new Date(day))}</h2>
        <nav aria-label="Days" className={styles.steps}>
          <Link to={addressOf(view, stepped(view, day, -1))}>Earlier</Link>
          <Link to={addressOf(view)}>Today</Link>
          <Link to={addressOf(view, stepped(view, day, 1))}>Later</Link>
        </nav>
        <nav aria-label="View" className={styles.steps}>
          {Object.entries(VIEWS).map(([name, label]) => (
            <Link key={name} to={`?view=${name}&day=${day}`} aria-current={name === view ? "true" : undefined}>
              {label}
            </Link>
          ))}
        </nav>
      </div>
      <LoadStatus result={result} />
      {result?.ok &&
        (view === "list" ? (
          <DayList {...shared} today={today} />
        ) : (
          <MonthTable {...shared} today={today} month={view === "month" ? day.slice(0, 7) : null} />
        ))}
      <p className={`soft ${styles.feed}`}>
        <Link to={`${href("/admin/profile")}#calendar`}>See these dates in your own calendar</Link>
      </p>
      {moving && (
        <Suspense>
          <MoveDialog
            key={`${moving.date.id} ${moving.day}`}
            date={moving.date}
            day={moving.day}
            onClose={() => setMoving(null)}
            onMoved={show}
          />
        </Suspense>
      )}
    </PageFrame>
  );
}

function addressOf(view: View, day?: string): string {
  return `?view=${view}${day === undefined ? "" : `&day=${day}`}`;
}
