import { useEffect, useState } from "react";
import { timeLeft } from "./time-left.ts";
import styles from "./countdown.module.css";

interface CountdownProps {
  /** An ISO instant; null without a date. */
  target: string | null;
  /** When the page was rendered, in milliseconds since 1970, so that hydration starts with the same text. */
  now: number;
}

/** Days, hours, minutes and seconds until an instant. A timer, so screen readers do not announce each second. */
export function Countdown({ target, now }: CountdownProps) {
  const [clock, setClock] = useState(now);
  useEffect(() => {
    const tick = (): void => setClock(Date.now());
    tick();
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, []);

  const left = target === null ? null : timeLeft(Date.parse(target), clock);
  if (!left) return <p className={styles.soon}>Course Starting Soon!</p>;
  const parts = [
    [left.days, left.days === 1 ? "day" : "days"],
    [left.hours, "hrs"],
    [left.minutes, "min"],
    [left.seconds, "sec"],
  ] as const;
  return (
    <p role="timer" aria-label="Time until the course starts" className={styles.countdown}>
      {parts.map(([value, unit], index) => (
        <span key={index === 0 ? "days" : unit} className={styles.part}>
          <span className={styles.value}>{index === 0 ? value : String(value).padStart(2, "0")}</span>{" "}
          <span className={styles.unit}>{unit}</span>
        </span>
      ))}
    </p>
  );
}
