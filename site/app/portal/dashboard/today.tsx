import { useEffect, useEffectEvent, useState } from "react";
import { href } from "react-router";
import { browserClient } from "../../supabase/supabase.client.ts";
import { londonDate } from "../../time/london-date.ts";
import { addDays, startOfDay } from "../../time/london-time.ts";
import { useLoaded } from "../frame/use-loaded.ts";
import { useFollowChanges } from "../live/use-follow-changes.ts";
import { ArrivalNotice } from "./arrivals.tsx";
import { BackupLine, BackupProblem } from "./backups.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { NextDays } from "./next-days.tsx";
import { loadToday, type DashboardDate, type Today as TodayParts } from "./today-queries.ts";
import { TodayPart, type Line } from "./today-part.tsx";
import styles from "./today.module.css";

const FAILED = `${href("/admin/letters")}?${new URLSearchParams({ when: "all", state: "failed" })}`;

/** The next seven days and what to do now; follows changes. */
export function Today() {
  const [today, setToday] = useState(() => loadToday(browserClient(), Date.now()));
  const retry = (): void => setToday(loadToday(browserClient(), Date.now()));
  useFollowChanges(["bookings", "course_dates", "enquiries", "letters", "waiting_list"], { reload: retry });
  const loadNextDay = useEffectEvent(retry);
  useEffect(() => {
    const timer = setTimeout(() => loadNextDay(), Date.parse(startOfDay(addDays(today.firstDay, 1))) - Date.now());
    return () => clearTimeout(timer);
  }, [today]);
  const any = useLoaded(today.any);
  const isNew = any?.ok && any.total === 0;
  return (
    <>
      <BackupProblem backups={today.backups} />
      {isNew ? (
        <>
          <FirstSteps />
          <BackupLine backups={today.backups} />
        </>
      ) : (
        <Work today={today} retry={retry} />
      )}
    </>
  );
}

function Work({ today, retry }: { today: TodayParts; retry: () => void }) {
  return (
    <>
      <ArrivalNotice enquiries={today.enquiries} />
      <div className={styles.today}>
        <NextDays today={today} retry={retry} />
        <div className={styles.work}>
          <TodayPart
            id="new-enquiries"
            title="New enquiries"
            part={today.enquiries}
            retry={retry}
            none="No new enquiries."
            all={{ to: `${href("/admin/enquiries")}?status=new`, label: "All new enquiries" }}
            lineOf={({ id, name, reply_to, course_name, created_at }) => ({
              to: `${href("/admin/enquiries")}?open=${id}`,
              name,
              contact: reply_to,
              detail: [dayAndTime(created_at), course_name].filter(Boolean).join(", "),
            })}
          />
          <TodayPart
            id="waiting"
            title="Call about a free place"
            part={today.waiting}
            retry={retry}
            none="Nobody waits for a place that is free."
            lineOf={({ name, contact, date }) => ({
              to: `${href("/admin/bookings")}?date=${date.id}`,
              name,
              contact,
              detail: `${date.course_name}, ${dayAndTime(date.course_date)}`,
            })}
          />
          <TodayPart
            id="unpaid"
            title="Not paid yet"
            part={today.unpaid}
            retry={retry}
            none="Nobody owes anything."
            all={{ to: `${href("/admin/bookings")}?when=unpaid`, label: "All unpaid bookings" }}
            lineOf={({ name, date }) => ({
              to: `${href("/admin/bookings")}?${new URLSearchParams({ date: date.id, words: name, payment: "due" })}`,
              name,
              detail: `${date.course_name}, ${dayAndTime(date.course_date)}`,
            })}
          />
          <TodayPart
            id="half-empty"
            title="Confirm or cancel"
            part={today.halfEmpty}
            retry={retry}
            none="Every date of the next 14 days is half full, confirmed or cancelled."
            all={{ to: `${href("/admin/courses")}?when=coming`, label: "All upcoming dates" }}
            lineOf={dateLine}
          />
          <TodayPart
            id="failed-letters"
            title="Letters that failed"
            part={today.letters}
            retry={retry}
            none="No letter failed."
            all={{ to: FAILED, label: "All failed letters" }}
            lineOf={({ name, due_at }) => ({ to: FAILED, name, detail: dayAndTime(due_at) })}
          />
          <BackupLine backups={today.backups} />
        </div>
      </div>
    </>
  );
}

function dateLine({ id, course_name, course_date, capacity, places_taken }: DashboardDate): Line {
  const detail = `${dayAndTime(course_date)}: ${places_taken} of ${capacity} taken`;
  return { to: `${href("/admin/bookings")}?date=${id}`, name: course_name, detail };
}

/** Formats an instant as "Mon 30 Nov, 09:00". */
function dayAndTime(iso: string): string {
  const { weekday, day, month, time } = londonDate(iso);
  return `${weekday} ${day} ${month}, ${time}`;
}
