import { Suspense, type ReactNode } from "react";
import { href, Link } from "react-router";
import { Moment } from "../time/moment.tsx";
import type { RecordPageState } from "../records/use-record-page.ts";
import { ContactLink } from "../lists/contact/contact-link.tsx";
import { LongText } from "../lists/long-text.tsx";
import { lazyPart } from "../frame/lazy-part.tsx";
import type { Loaded } from "../frame/outcome.ts";
import { RowLink } from "../lists/open-record/row-link.tsx";
import { RecordList } from "../lists/record-list.tsx";
import type { Column } from "../lists/record-table.tsx";
import { EnquiryActions, inWords } from "./enquiry-actions.tsx";
import { EnquiryStatus } from "./enquiry-status.tsx";
import styles from "./enquiry-list.module.css";
import { isOpen, requestInWords, type Enquiry, type EnquiryForm } from "./fields.ts";
import { enquiryColumns, enquiryFilter } from "./filter.ts";
import { counted } from "../frame/counted.ts";
import type { Statuses } from "./use-statuses.ts";

// Lazy: most visits select nothing.
const SelectedEnquiries = lazyPart(() => import("./selected-enquiries.tsx"));

interface EnquiryListProps {
  enquiries: Promise<Loaded<Enquiry>>;
  page: RecordPageState<EnquiryForm>;
  statuses: Statuses;
  /** The choice of the listed enquiries. */
  scope: ReactNode;
}

/** The list of enquiries, the newest first. */
export function EnquiryList({ enquiries, page, statuses, scope }: EnquiryListProps) {
  return (
    <>
      <p role="status" className="visually-hidden">
        {statuses.announced}
      </p>
      <RecordList
        caption="Enquiries"
        loaded={enquiries}
        removed={page.removed}
        columns={columnsOf(statuses)}
        filter={enquiryFilter}
        scope={scope}
        total={inTotal}
        file={{ name: "enquiries", columns: enquiryColumns }}
        empty={{ title: "No enquiries here yet...", text: "Enquiries from the site appear here. Add one from a call with “New enquiry”." }}
        isPast={(enquiry) => !isOpen(statuses.of(enquiry))}
        bulk={{
          noun: "enquiry",
          nouns: "enquiries",
          what: inWords,
          render: (rows, clear) => (
            <Suspense>
              <SelectedEnquiries enquiries={rows} statuses={statuses} clear={clear} />
            </Suspense>
          ),
        }}
        renderActions={(enquiry) => <EnquiryActions enquiry={enquiry} page={page} />}
      />
    </>
  );
}

function columnsOf(statuses: Statuses): readonly Column<Enquiry>[] {
  return [
    { heading: "From", share: 21, cell: (enquiry) => <From enquiry={enquiry} /> },
    { heading: "Question", share: 30, cell: (enquiry) => <Question {...enquiry} /> },
    { heading: "Contact", share: 26, cell: ({ reply_to, phone }) => <Reply replyTo={reply_to} phone={phone} /> },
    { heading: "Status", cell: (enquiry) => <EnquiryStatus enquiry={enquiry} statuses={statuses} /> },
    { heading: "Note", share: 9, cell: ({ note }) => note },
  ];
}

function From({ enquiry }: { enquiry: Enquiry }) {
  return (
    <>
      <strong>
        <RowLink id={enquiry.id} what={inWords(enquiry)}>
          {enquiry.name}
        </RowLink>
      </strong>
      <Moment iso={enquiry.created_at} className="second" />
    </>
  );
}

function Reply({ replyTo, phone }: { replyTo: string; phone: string | null }) {
  return (
    <span className="contacts">
      {phone !== null && <ContactLink contact={phone} />}{" "}
      <span className={phone === null ? undefined : "second"}>
        <ContactLink contact={replyTo} />
      </span>
    </span>
  );
}

function Question(enquiry: Enquiry) {
  const { course_name, message, course_id, request } = enquiry;
  return (
    <>
      {course_name !== null && <span className={styles.course}>{course_name}</span>}
      {request !== null &&
        (course_id === null ? (
          requestInWords(enquiry)
        ) : (
          <Link to={`${href("/admin/bookings")}?date=${course_id}`}>{requestInWords(enquiry)}</Link>
        ))}
      <LongText text={message} />
    </>
  );
}

function inTotal(listed: readonly Enquiry[], all: number): string {
  const waiting = listed.filter(({ status }) => status === "new").length;
  const listedOf = listed.length === all ? "" : `${listed.length} of `;
  return `${listedOf}${counted(all, "enquiry", "enquiries")}, ${waiting} new`;
}
