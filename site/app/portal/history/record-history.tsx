import { useState } from "react";
import { browserClient } from "../../supabase/supabase.client.ts";
import { LoadStatus } from "../frame/load-status.tsx";
import type { Loaded } from "../frame/outcome.ts";
import { useLoaded } from "../frame/use-loaded.ts";
import { listPeople, nameOf, type StaffAccount } from "../lists/people.ts";
import { Moment } from "../time/moment.tsx";
import { ACTS, MACHINES, type Change } from "./change.ts";
import { ChangedValues } from "./changed-values.tsx";
import { listChanges } from "./queries.ts";
import styles from "./record-history.module.css";

/** The changes of the record with this id, the latest first. */
export function RecordHistory({ id }: { id: string }) {
  const [loading, load] = useState(() => readHistory(id));
  const history = useLoaded(loading);
  return (
    <>
      <LoadStatus result={history?.changes} label="Loading the history…" retry={() => load(readHistory(id))} />
      {history?.changes.ok && history.changes.rows.length === 0 && <p className="soft">No changes in the last 12 months.</p>}
      {history?.changes.ok && (
        <ol className={styles.changes}>
          {history.changes.rows.map((change) => (
            <li key={change.id}>
              <p>
                <strong>{actInWords(change)}</strong> by {whoIn(change, history.people.ok ? history.people.rows : [])},{" "}
                <Moment iso={change.at} />
              </p>
              <ChangedValues change={change} />
            </li>
          ))}
        </ol>
      )}
    </>
  );
}

interface History {
  changes: Loaded<Change>;
  people: Loaded<StaffAccount>;
}

async function readHistory(record: string): Promise<History> {
  const people = listPeople(browserClient());
  const scope = { kind: "", who: "", from: "", to: "", before: "", record };
  return { changes: await listChanges(browserClient(), scope, people), people: await people };
}

/** "Changed" */
function actInWords({ act }: Change): string {
  const words = ACTS[act] ?? act;
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function whoIn({ actor, actor_email }: Change, people: readonly StaffAccount[]): string {
  const who = actor_email ?? actor;
  const machine = MACHINES[who];
  return machine === undefined ? nameOf(people, who) : machine.toLowerCase();
}
