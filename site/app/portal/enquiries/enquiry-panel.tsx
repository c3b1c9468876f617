import { enquiryReference } from "content/enquiry-reference.ts";
import { href, Link } from "react-router";
import { dateInWords } from "../bookable-dates/bookable-date.ts";
import { ContactLink } from "../lists/contact/contact-link.tsx";
import type { OpenRecord } from "../lists/open-record/open-record.ts";
import { RecordPanel, type ShownRecord } from "../records/record-panel.tsx";
import type { RecordPageState } from "../records/use-record-page.ts";
import { Moment } from "../time/moment.tsx";
import { EnquiryActions } from "./enquiry-actions.tsx";
import { EnquiryStatus } from "./enquiry-status.tsx";
import { isActive, requestInWords, type Enquiry, type EnquiryForm } from "./fields.ts";
import type { Statuses } from "./use-statuses.ts";

interface EnquiryPanelProps {
  open: OpenRecord<Enquiry>;
  page: RecordPageState<EnquiryForm>;
  statuses: Statuses;
}

/** An enquiry with its whole text and its history. */
export default function EnquiryPanel(props: EnquiryPanelProps) {
  const { open, page } = props;
  return <RecordPanel open={open} page={page} noun="enquiry" shown={open.row && enquiryInPanel(open.row, props)} />;
}

function enquiryInPanel(enquiry: Enquiry, { page, statuses }: EnquiryPanelProps): ShownRecord {
  return {
    title: enquiry.name,
    actions: <EnquiryActions enquiry={enquiry} page={page} />,
    facts: {
      Course: enquiry.course_name,
      Request: enquiry.request !== null && <Request enquiry={enquiry} />,
      Question: enquiry.message,
      Contact: <Reply replyTo={enquiry.reply_to} phone={enquiry.phone} />,
      Status: <EnquiryStatus enquiry={enquiry} statuses={statuses} />,
      Booked: enquiry.bookings.length > 0 && <Booked enquiry={enquiry} />,
      Note: enquiry.note,
      Received: <Moment iso={enquiry.created_at} weekday />,
      Reference: enquiryReference(enquiry.id),
    },
  };
}

/** The requested places, with a link to the bookings of their date. */
function Request({ enquiry }: { enquiry: Enquiry }) {
  const words = requestInWords(enquiry);
  if (enquiry.course_id === null) return words;
  return <Link to={`${href("/admin/bookings")}?date=${enquiry.course_id}`}>{words}</Link>;
}

function Booked({ enquiry: { bookings } }: { enquiry: Enquiry }) {
  return bookings.map((booking) => (
    <div key={booking.id}>
      {dateInWords(booking.course_dates)}
      {!isActive(booking) && " (cancelled)"}
    </div>
  ));
}

function Reply({ replyTo, phone }: { replyTo: string; phone: string | null }) {
  return (
    <span className="contacts">
      {phone !== null && <ContactLink contact={phone} />} <ContactLink contact={replyTo} />
    </span>
  );
}
