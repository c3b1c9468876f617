import { LongText } from "../lists/long-text.tsx";
import styles from "./enquiry-quote.module.css";
import type { EnquiryToBook } from "./enquiry-booking.ts";

/** What was asked, above the booking that comes of it. */
export default function Asked({ name, message }: EnquiryToBook) {
  return (
    <blockquote className={styles.asked}>
      <p>{name} asked:</p>
      <LongText text={message} />
    </blockquote>
  );
}
