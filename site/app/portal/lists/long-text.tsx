import { useId, useState } from "react";
import styles from "./long-text.module.css";

/** The number of characters that fit into the visible lines: in a row of a table, and elsewhere. */
const ONE_LINE = 45;
const LONG = 240;

/** A text with its line breaks; a button expands a long one. */
export function LongText({ text }: { text: string }) {
  const id = useId();
  const long = text.length > LONG;
  const cut = long || text.length > ONE_LINE || text.includes("\n");
  const [whole, setWhole] = useState(false);
  return (
    <div className={whole ? styles.whole : styles.part}>
      <p id={id} className={long && !whole ? `${styles.text} ${styles.clamped}` : styles.text}>
        {text}
      </p>
      {cut && (
        <button
          type="button"
          className={long ? styles.more : `${styles.more} ${styles.onlyInRow}`}
          aria-expanded={whole}
          aria-controls={id}
          onClick={() => setWhole(!whole)}
        >
          {whole ? "Show less" : "Show more"}
        </button>
      )}
    </div>
  );
}
