import { Button } from "../../../ui/button.tsx";
import { exportCsv } from "../../lists/csv/csv-file.ts";
import { LoadStatus } from "../../frame/load-status.tsx";
import type { Loaded } from "../../frame/outcome.ts";
import { useLoaded } from "../../frame/use-loaded.ts";
import { WriteTo } from "../../lists/selection/write-to.tsx";
import type { RecordPageState } from "../../records/use-record-page.ts";
import type { BookingsForm } from "../open-form.ts";
import type { BookableDate } from "../../bookable-dates/bookable-date.ts";
import { placesOpen } from "../../bookable-dates/places.ts";
import { nextToCall } from "../../bookable-dates/next-to-call.ts";
import { waitingColumns } from "./columns.ts";
import { nextInWords, type WaitingEntry } from "./waiting-list.ts";
import styles from "./waiting-panel.module.css";
import { WaitingTable } from "./waiting-table.tsx";

interface WaitingPanelProps {
  date: BookableDate;
  waiting: Promise<Loaded<WaitingEntry>>;
  page: RecordPageState<BookingsForm>;
}

/** The waiting list of the selected course date, with the person to call next. */
export function WaitingPanel({ date, waiting, page }: WaitingPanelProps) {
  const result = useLoaded(waiting);
  if (!result) return null;
  if (!result.ok) return <LoadStatus result={result} />;
  const entries = result.rows.filter((entry) => !page.removed.has(entry));
  const next = nextToCall(entries, date);
  return (
    <section className={`stack ${styles.panel}`} aria-labelledby="waiting-title">
      <div className="row spread">
        <h2 id="waiting-title">
          Waiting list <span className="soft">({entries.length === 0 ? "nobody" : `${entries.length} waiting`})</span>
        </h2>
        <div className="row">
          <WriteTo people={entries} />
          {entries.length > 0 && (
            <Button look="plain" size="small" onClick={() => exportCsv("waiting-list", waitingColumns, entries)}>
              Export waiting list
            </Button>
          )}
          {date.status !== "cancelled" && (
            <Button look="plain" size="small" onClick={() => page.begin({ form: "wait", dateId: date.id })}>
              Add to waiting list
            </Button>
          )}
        </div>
      </div>
      <LoadStatus result={result} />
      {next && (
        <p className={styles.next}>
          <strong>Next to call:</strong> {nextInWords(next)}
        </p>
      )}
      {entries.length > 0 && <WaitingTable entries={entries} nextId={next?.id} open={placesOpen(date)} page={page} />}
    </section>
  );
}
