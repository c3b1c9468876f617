import { browserClient } from "../../../supabase/supabase.client.ts";
import { Button } from "../../../ui/button.tsx";
import { Message } from "../../../ui/message.tsx";
import { exportCsv } from "../../lists/csv.ts";
import { startEdit } from "../../records/save-record.ts";
import type { Loaded } from "../../frame/outcome.ts";
import { usePromise } from "../../frame/use-promise.ts";
import type { RecordPageState } from "../../records/use-record-page.ts";
import type { BookingsForm } from "../open-form.ts";
import type { BookableDate } from "../../bookable-dates/bookable-date.ts";
import { placesOpen } from "../../bookable-dates/places.ts";
import { nextInWords, nextToCall, waitingColumns, type WaitingEntry } from "./waiting-list.ts";
import styles from "./waiting-panel.module.css";
import { bookWaiting, setCalled, withdrawWaiting } from "./queries.ts";
import { WaitingTable } from "./waiting-table.tsx";

interface WaitingPanelProps {
  dateId: string;
  dates: readonly BookableDate[];
  waiting: Promise<Loaded<WaitingEntry>>;
  page: RecordPageState<BookingsForm>;
}

/** Who waits for the date that is shown, and who of them is to be called next. */
export function WaitingPanel({ dateId, dates, waiting, page }: WaitingPanelProps) {
  const answer = usePromise(waiting);
  const date = dates.find(({ id }) => id === dateId);
  if (!answer || !date) return null;
  if (!answer.ok) {
    return (
      <Message tone="error">
        <p>{answer.message}</p>
      </Message>
    );
  }
  const entries = answer.rows.filter((entry) => !page.gone.has(entry));
  const next = nextToCall(entries, date);
  return (
    <section className={styles.panel} aria-labelledby="waiting-title">
      <div className={styles.head}>
        <h2 id="waiting-title">
          Waiting list <span className={styles.count}>({entries.length === 0 ? "nobody" : `${entries.length} waiting`})</span>
        </h2>
        <div className={styles.tools}>
          {entries.length > 0 && (
            <Button look="plain" size="small" onClick={() => exportCsv("waiting-list", waitingColumns, entries)}>
              Export waiting list
            </Button>
          )}
          {date.status !== "cancelled" && (
            <Button look="plain" size="small" onClick={() => page.begin({ form: "wait", dateId })}>
              Add to waiting list
            </Button>
          )}
        </div>
      </div>
      {next && (
        <p className={styles.next}>
          <strong>Next to call:</strong> {nextInWords(next)}
        </p>
      )}
      {entries.length > 0 && (
        <WaitingTable
          entries={entries}
          nextId={next?.id}
          open={placesOpen(date)}
          call={(entry, called) => page.act(() => setCalled(browserClient(), entry, called, Date.now()))}
          book={(entry) => page.act(() => bookWaiting(browserClient(), entry))}
          edit={(entry) => page.begin({ form: "wait-edit", edit: startEdit(entry) })}
          withdraw={(entry) => page.remove(entry, () => withdrawWaiting(browserClient(), entry))}
          refuse={page.show}
        />
      )}
    </section>
  );
}
