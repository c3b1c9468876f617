import { backupProblem } from "content/backup-problems.ts";
import { londonDate } from "../../time/london-date.ts";
import { useLoaded } from "../frame/use-loaded.ts";
import { Message } from "../../ui/message.tsx";
import styles from "./backups.module.css";
import type { BackupState, Part } from "./today-queries.ts";

interface BackupProps {
  backups: Promise<Part<BackupState>>;
}

/** Says that the last backup failed, or that none was checked for a day. */
export function BackupProblem({ backups }: BackupProps) {
  const shown = useBackups(backups);
  if (shown?.state !== "failed" && shown?.state !== "late") return null;
  const { long, time } = londonDate(shown.checked_at);
  return (
    <div className={styles.problem}>
      <Message tone="error">
        <p>
          {shown.state === "failed"
            ? `The backup of ${long} failed because ${backupProblem(shown.problem)}.`
            : `No backup was checked since ${long}, ${time}.`}{" "}
          Please tell the person who runs the server.
        </p>
      </Message>
    </div>
  );
}

/** Says when the last backup was checked, or to an owner that no backup is set up. */
export function BackupLine({ backups }: BackupProps) {
  const shown = useBackups(backups);
  if (shown?.state === "none")
    return <p className={`soft ${styles.line}`}>No backup is set up. The person who runs the server can do this.</p>;
  if (shown?.state !== "checked") return null;
  return (
    <p className={`soft ${styles.line}`}>
      Backup checked <time dateTime={shown.checked_at}>{londonDate(shown.checked_at).time}</time>, {shown.row_count.toLocaleString("en-GB")}{" "}
      rows
    </p>
  );
}

function useBackups(backups: BackupProps["backups"]): BackupState | undefined {
  const result = useLoaded(backups);
  return result?.ok ? result.rows[0] : undefined;
}
