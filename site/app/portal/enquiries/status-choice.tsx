import { Options } from "../forms/options.tsx";
import { STATUSES } from "./fields.ts";
import styles from "./status-choice.module.css";

interface StatusChoiceProps {
  /** The enquiry in words. */
  name: string;
  status: string;
  choose: (status: string) => void;
}

/** The status of an enquiry as a select in its row. */
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
