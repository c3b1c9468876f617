import { Options } from "../forms/options.tsx";
import { STATUSES } from "./schema.ts";
import styles from "./status-choice.module.css";

interface StatusChoiceProps {
  /** Whose enquiry it is. */
  name: string;
  status: string;
  choose: (status: string) => void;
}

/** The status of an enquiry, changed where it stands: with the keyboard by its first letter. */
export function StatusChoice({ name, status, choose }: StatusChoiceProps) {
  return (
    <select
      className={styles.choice}
      data-status={status}
      aria-label={`Status of ${name}`}
      value={status}
      onChange={(event) => choose(event.currentTarget.value)}
    >
      <Options labels={STATUSES} />
    </select>
  );
}
