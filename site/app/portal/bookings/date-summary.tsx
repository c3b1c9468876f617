import type { Loaded, Outcome } from "../frame/outcome.ts";
import type { RecordPageState } from "../records/use-record-page.ts";
import { DatePanel } from "./date-panel.tsx";
import type { BookingsForm } from "./open-form.ts";
import type { BookableDate } from "./schema.ts";
import type { WaitingEntry } from "./waiting-list/waiting-list.ts";
import { WaitingPanel } from "./waiting-list/waiting-panel.tsx";

interface OneDateProps {
  userId: string;
  dateId: string;
  dates: readonly BookableDate[];
  waiting: Promise<Loaded<WaitingEntry>>;
  page: RecordPageState<BookingsForm>;
  move: (to: string) => Promise<Outcome>;
}

/** What stands above the bookings of one date: how full it is, and who waits for it. */
export default function OneDate({ waiting, page, ...date }: OneDateProps) {
  return (
    <>
      <DatePanel {...date} onDone={page.show} />
      <WaitingPanel dateId={date.dateId} dates={date.dates} waiting={waiting} page={page} />
    </>
  );
}
