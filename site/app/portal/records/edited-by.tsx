import { useOthers } from "../live/use-others.ts";
import type { User } from "../frame/use-user.ts";
import styles from "./edited-by.module.css";

/** A record whose form is open. */
export interface EditedRecord {
  table: "blog_posts" | "bookings" | "course_dates" | "enquiries" | "waiting_list";
  id: string;
  noun: string;
}

const names = new Intl.ListFormat("en-GB");

/** Shows who else has the form of a record open. */
export default function EditedBy({
  record: { table, id, noun },
  user: { userId, name, email = "" },
}: {
  record: EditedRecord;
  user: User;
}) {
  const others = useOthers(`editing:${table}:${id}`, { userId, name: name || email });
  const colleagues = new Set(others.filter((other) => other.userId !== userId).map((other) => other.name));
  return (
    <div role="status">
      {colleagues.size > 0 && (
        <p className={styles.edited}>
          {names.format(colleagues)} {colleagues.size === 1 ? "is" : "are"} editing this {noun}.
        </p>
      )}
      {colleagues.size === 0 && others.length > 0 && <p className={styles.edited}>You are editing this {noun} in another window too.</p>}
    </div>
  );
}
