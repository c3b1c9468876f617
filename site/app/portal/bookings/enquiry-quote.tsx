import { LongText } from "../lists/long-text.tsx";
import type { EnquiryToBook } from "./enquiry-booking.ts";

/** The message of an enquiry above the booking that answers it. */
export default function EnquiryQuote({ name, message }: EnquiryToBook) {
  return (
    <blockquote className="wide">
      <p>{name} wrote:</p>
      <LongText text={message} />
    </blockquote>
  );
}
