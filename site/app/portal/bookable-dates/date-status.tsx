import { courseDateStatus, STATUS_LABELS, type StatusColumns } from "./course-date-status.ts";

/** The status of a course date as a label. */
export function DateStatus({ date }: { date: StatusColumns }) {
  const status = courseDateStatus(date);
  return (
    <span className="chip" data-tone={status}>
      {STATUS_LABELS[status]}
    </span>
  );
}
