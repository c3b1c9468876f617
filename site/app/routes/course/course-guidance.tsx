import type { Guidance } from "content/guidance.ts";
import { noBreak } from "../../ui/no-break.ts";
import styles from "./course-guidance.module.css";

/** Numbered steps outside the course: the licence, learning credits. */
export function CourseGuidance({ guidance: { id, title, steps, link } }: { guidance: Guidance }) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ol className={styles.steps}>
        {steps.map((step) => (
          <li key={step}>{noBreak(step)}</li>
        ))}
      </ol>
      <p className={styles.link}>
        <a href={link.href} rel="noopener">
          {link.label}
        </a>
      </p>
    </section>
  );
}
