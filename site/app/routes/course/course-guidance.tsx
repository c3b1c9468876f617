import type { Guidance } from "content/guidance.ts";
import { noBreak } from "../../ui/no-break.ts";
import styles from "./course-guidance.module.css";
import { Fold } from "./fold.tsx";

/** Numbered steps outside the course: the licence, learning credits. */
export function CourseGuidance({ guidance: { id, title, steps, link } }: { guidance: Guidance }) {
  return (
    <Fold id={id} title={title}>
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
    </Fold>
  );
}
