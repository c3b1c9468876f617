import type { Loaded, Outcome } from "../frame/outcome.ts";
import type { RecordPageState } from "../records/use-record-page.ts";
import { DatePanel } from "./date-panel.tsx";
import type { BookingsForm } from "./open-form.ts";
import type { BookableDate } from "../bookable-dates/bookable-date.ts";
import type { WaitingEntry } from "./waiting-list/waiting-list.ts";
import { WaitingPanel } from "./waiting-list/waiting-panel.tsx";

interface DateSummaryProps {
  userId: string;
  dateId: string;
  dates: readonly BookableDate[];
  waiting: Promise<Loaded<WaitingEntry>>;
  page: RecordPageState<BookingsForm>;
  move: (to: string) => Promise<Outcome>;
}

/** The places and the waiting list of one course date. */
export default function DateSummary({ waiting, page, ...date }: DateSummaryProps) {
  return (
    <>
      <DatePanel {...date} onDone={page.show} />
      <WaitingPanel dateId={date.dateId} dates={date.dates} waiting={waiting} page={page} />
    </>
  );
}
