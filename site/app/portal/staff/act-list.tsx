import { Moment } from "../time/moment.tsx";
import type { Loaded } from "../frame/outcome.ts";
import { LoadStatus } from "../frame/load-status.tsx";
import { usePromise } from "../frame/use-promise.ts";
import { actInWords, type Act } from "./schema.ts";
import styles from "./staff.module.css";

/** The latest account activity. */
export function ActList({ acts }: { acts: Promise<Loaded<Act>> }) {
  const answer = usePromise(acts);
  if (!answer) return null;
  return (
    <details className={styles.acts}>
      <summary>Account activity</summary>
      <LoadStatus answer={answer} />
      {answer.ok && answer.rows.length === 0 && <p>Nothing yet.</p>}
      {answer.ok && (
        <ol>
          {answer.rows.map((act) => (
            <li key={act.id}>
              <Moment iso={act.begun_at} /> <span>{actInWords(act)}</span>
            </li>
          ))}
        </ol>
      )}
    </details>
  );
}
