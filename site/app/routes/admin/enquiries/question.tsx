import { useId, useState } from "react";
import styles from "./question.module.css";
import type { Enquiry } from "./schema.ts";

/** More than the lines that are shown of it hold. */
const LONG = 240;

/** What somebody asked, and about which course; a long question is shown whole when wanted. */
export function Question({ course_name, message }: Pick<Enquiry, "course_name" | "message">) {
  const id = useId();
  const [whole, setWhole] = useState(message.length <= LONG);
  return (
    <>
      {course_name !== null && <span className={styles.course}>{course_name}</span>}
      <p id={id} className={whole ? styles.message : `${styles.message} ${styles.clamped}`}>
        {message}
      </p>
      {message.length > LONG && (
        <button type="button" className={styles.more} aria-expanded={whole} aria-controls={id} onClick={() => setWhole(!whole)}>
          {whole ? "Show less" : "Read on"}
        </button>
      )}
    </>
  );
}
