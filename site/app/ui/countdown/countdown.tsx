import { timeLeft } from "./time-left.ts";
import styles from "./countdown.module.css";

interface CountdownProps {
  /** An ISO instant. */
  target: string;
  /** The time at which the page was rendered, in milliseconds since 1970. */
  now: number;
}

/** Days, hours, minutes and seconds until an instant. A timer, so screen readers do not announce each second. */
export function Countdown({ target, now }: CountdownProps) {
  const html = partsUntil(target, now);
  if (html === null) return <p className={styles.soon}>{SOON}</p>;
  return (
    <p
      role="timer"
      aria-label="Time until the course starts"
      className={styles.countdown}
      data-target={target}
      suppressHydrationWarning
      // React hydrates one node instead of twelve.
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}

/** Shows the current time in all countdowns of the document. */
export function updateCountdowns(): void {
  const now = Date.now();
  for (const timer of document.querySelectorAll<HTMLElement>("[role=timer][data-target]")) {
    const html = partsUntil(timer.dataset["target"] ?? "", now);
    if (html !== null) timer.innerHTML = html;
    else {
      timer.replaceChildren(SOON);
      timer.className = styles.soon ?? "";
      for (const name of ["role", "aria-label"]) timer.removeAttribute(name);
    }
  }
}

const SOON = "Course Starting Soon!";

function partsUntil(target: string, now: number): string | null {
  const left = timeLeft(Date.parse(target), now);
  if (!left) return null;
  const { days, hours, minutes, seconds } = left;
  return (
    part(String(days), days === 1 ? "day" : "days") +
    part(padded(hours), "hrs") +
    part(padded(minutes), "min") +
    part(padded(seconds), "sec")
  );
}

function part(value: string, unit: string): string {
  return `<span><b>${value}</b> <span>${unit}</span></span>`;
}

function padded(value: number): string {
  return String(value).padStart(2, "0");
}
