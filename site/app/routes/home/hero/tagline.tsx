import { taglines } from "content/taglines.ts";
import { useEffect, useState } from "react";
import { useReducedMotion } from "../../../ui/reduced-motion.ts";
import styles from "./tagline.module.css";

const INTERVAL_MS = 4000;

/** The rotating tagline. All lines share one grid cell, so the tallest sets the height and nothing below moves. */
export function Tagline() {
  const [shown, setShown] = useState(0);
  const [choice, setChoice] = useState<boolean | null>(null);
  const reducedMotion = useReducedMotion();
  const playing = choice ?? !reducedMotion;
  const [held, setHeld] = useState(false);

  useEffect(() => {
    if (!playing || held) return undefined;
    const timer = setInterval(() => setShown((line) => (line + 1) % taglines.length), INTERVAL_MS);
    return () => clearInterval(timer);
  }, [playing, held]);

  return (
    <div className={styles.tagline} onPointerEnter={() => setHeld(true)} onPointerLeave={() => setHeld(false)}>
      <div className={styles.lines}>
        {taglines.map((line, index) => (
          <p key={line} className={styles.line} data-shown={index === shown} aria-hidden={index !== shown}>
            {line}
          </p>
        ))}
      </div>
      <button type="button" className={styles.pause} onClick={() => setChoice(!playing)}>
        {playing ? "Pause" : "Play"}
        <span className="visually-hidden"> the changing line</span>
      </button>
    </div>
  );
}
