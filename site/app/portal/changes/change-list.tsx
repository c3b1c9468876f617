import { Link } from "react-router";
import { londonDate, londonMoment } from "../../time/london-date.ts";
import { Moment } from "../time/moment.tsx";
import { counted } from "../frame/counted.ts";
import type { Loaded } from "../frame/outcome.ts";
import { RecordList } from "../lists/record-list.tsx";
import type { Column } from "../lists/record-table.tsx";
import { RowAction, RowActions, RowHistory } from "../lists/row-actions.tsx";
import { nameOf, type StaffPerson } from "../lists/people.ts";
import { useLoaded } from "../frame/use-loaded.ts";
import { ChangedValues } from "../history/changed-values.tsx";
import { replacedText } from "./restore-text.ts";
import { ACTS, KINDS, MACHINES, recordInWords, restorable, type Change, type ChangeScope } from "../history/change.ts";
import { addressOf } from "./scope.ts";
import styles from "./changes.module.css";

interface ChangeListProps {
  changes: Promise<Loaded<Change>>;
  scope: ChangeScope;
  people: readonly StaffPerson[];
  restore: (change: Change) => Promise<unknown>;
  /** Restores the text that a post had before a change. */
  restoreText: (change: Change) => Promise<unknown>;
}

/** The list of changes, the latest first; deleted records can be restored. */
export function ChangeList({ changes, scope, people, restore, restoreText }: ChangeListProps) {
  const result = useLoaded(changes);
  return (
    <>
      <p role="status" className="soft">
        {result?.ok && `${counted(result.rows.length, "change")} shown`}
      </p>
      <RecordList
        caption="History"
        loaded={changes}
        columns={columnsIn(scope, people)}
        empty={{ title: "No changes here..." }}
        renderActions={(change) => (
          <RowActions>
            {restorable(change, result?.ok ? result.rows : []) && (
              <RowAction label="Restore" what={recordInWords(change)} run={() => restore(change)} />
            )}
            {replacedText(change) && (
              <RowAction
                label="Restore this text"
                what={`of ${recordInWords(change)}, ${londonMoment(londonDate(change.at))}`}
                run={() => void restoreText(change)}
              />
            )}
            {scope.record === "" && <RowHistory id={change.record_id} what={recordInWords(change)} />}
          </RowActions>
        )}
      />
    </>
  );
}

function columnsIn(scope: ChangeScope, people: readonly StaffPerson[]): readonly Column<Change>[] {
  return [
    { heading: "When", cell: ({ at }) => <Moment iso={at} /> },
    { heading: "What", cell: (change) => <What {...change} /> },
    { heading: "Who", cell: (change) => <Who change={change} scope={scope} people={people} /> },
    { heading: "Before and after", cell: (change) => <ChangedValues change={change} /> },
  ];
}

function What(change: Change) {
  return (
    <>
      <strong>
        {KINDS[change.kind] ?? change.kind} {ACTS[change.act] ?? change.act}
      </strong>
      <span className="second">{recordInWords(change)}</span>
    </>
  );
}

function Who({ change: { actor, actor_email }, scope, people }: { change: Change } & Pick<ChangeListProps, "scope" | "people">) {
  const who = actor_email ?? actor;
  return (
    <Link className={styles.who} to={addressOf(scope, { who })}>
      {MACHINES[who] ?? nameOf(people, who)}
    </Link>
  );
}
