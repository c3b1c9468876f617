import { provider } from "content/provider.ts";
import type { Course } from "content/types.ts";
import { href } from "react-router";
import styles from "./ask.module.css";

interface AskSentProps {
  reference: string;
  waiting: boolean;
  /** The time until which the places are held, "Monday 30 November 2026, 09:00"; null if they are not held. */
  heldUntil: string | null;
  /** True if a mail confirms it. */
  mailed: boolean;
  /** A sentence about when the office is open. */
  answer: string;
  course: Course;
}

/** The confirmation of a request: its reference and what happens next. */
export function AskSent({ reference, waiting, heldUntil, mailed, answer, course }: AskSentProps) {
  return (
    <div className={styles.sent}>
      <p className={styles.reference}>
        Your reference <strong className="number">{reference}</strong>
      </p>
      <h2>What happens next</h2>
      <ol className={styles.next}>
        {waiting ? (
          <li>When a place becomes free we call the people on the list in their order. You pay nothing until you take a place.</li>
        ) : (
          <li>
            <strong>{answer}</strong> We call or write to you within one working day.{" "}
            {heldUntil === null ? "We do not hold the place until then." : `We hold your place until ${heldUntil}.`}
          </li>
        )}
        {!waiting && <li>We check with you what the course asks for first, book your place and agree how you pay.</li>}
        {mailed && <li>We send you an e-mail{waiting ? "" : " with a calendar file"}. If it does not arrive, look in your spam folder.</li>}
      </ol>
      <p>
        Something to change? Call <a href={provider.phoneHref}>{provider.phone}</a> or write to{" "}
        <a href={`mailto:${provider.email}?subject=${encodeURIComponent(`Reference ${reference}`)}`}>{provider.email}</a> and name your
        reference.
      </p>
      <p>
        Meanwhile: <a href={`${course.link}#bring`}>what to bring</a>, or the <a href={href("/blog")}>blog</a>.
      </p>
    </div>
  );
}
