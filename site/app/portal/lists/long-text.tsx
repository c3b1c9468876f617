import { useId, useState } from "react";
import styles from "./long-text.module.css";

/** The number of characters that fit into the visible lines. */
const LONG = 240;

/** A text with its line breaks; a button expands a long one. */
export function LongText({ text }: { text: string }) {
  const id = useId();
  const long = text.length > LONG;
  const [whole, setWhole] = useState(false);
  return (
    <>
      <p id={id} className={long && !whole ? `${styles.text} ${styles.clamped}` : styles.text}>
        {text}
      </p>
      {long && (
        <button type="button" className={styles.more} aria-expanded={whole} aria-controls={id} onClick={() => setWhole(!whole)}>
          {whole ? "Show less" : "Show more"}
        </button>
      )}
    </>
  );
}
