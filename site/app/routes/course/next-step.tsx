import type { Course } from "content/types.ts";
import { href } from "react-router";
import type { CourseDate } from "../../course-dates/course-date.ts";
import { ButtonLink } from "../../ui/button.tsx";
import styles from "./next-step.module.css";

/** The end of a course page: its next date, or a question. */
export function NextStep({ course, price, next }: { course: Course; price: string; next: CourseDate | undefined }) {
  return (
    <section aria-labelledby="next-step" className={styles.step}>
      <h2 id="next-step">{next ? "Ready to book?" : "Want a date?"}</h2>
      <p>
        {next
          ? `${course.title}, ${next.date.long}: ${price}, ${next.places}.`
          : "Tell us when you could come, and we will write when there is one."}
      </p>
      <p className={styles.actions}>
        {next && <ButtonLink href="#dates">See dates and book</ButtonLink>}
        <ButtonLink href={`${href("/enquiry")}?course=${course.id}`} look={next ? "plain" : "primary"}>
          Ask a question
        </ButtonLink>
      </p>
    </section>
  );
}
