import { provider } from "content/provider.ts";
import type { Course } from "content/types.ts";
import { ButtonLink } from "../../../ui/button.tsx";
import styles from "./ask.module.css";

/** The links of a date that takes no requests: to the other dates, and to the office. */
export function ClosedDate({ course }: { course: Course }) {
  return (
    <div className={styles.sent}>
      <p>
        <ButtonLink href={`${course.link}#dates`}>See the other dates</ButtonLink>
      </p>
      <p>
        Or call us on <a href={provider.phoneHref}>{provider.phone}</a>, {provider.openingHours.text}: we can tell you what is planned.
      </p>
    </div>
  );
}
