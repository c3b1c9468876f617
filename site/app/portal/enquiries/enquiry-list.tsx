import type { ReactNode } from "react";
import { href, Link, useNavigate } from "react-router";
import { browserClient } from "../../supabase/supabase.client.ts";
import { londonDate } from "../../time/london-date.ts";
import { Moment } from "../time/moment.tsx";
import { Options } from "../forms/options.tsx";
import { startEdit } from "../records/save-record.ts";
import type { RecordPageState } from "../records/use-record-page.ts";
import { ContactLink } from "../lists/contact-link.tsx";
import { DeleteButton } from "../records/delete-button.tsx";
import { LongText } from "../lists/long-text.tsx";
import type { Loaded } from "../frame/outcome.ts";
import { RecordList } from "../lists/record-list.tsx";
import type { Column } from "../lists/record-table.tsx";
import { RowAction, RowActions } from "../lists/row-actions.tsx";
import styles from "./enquiry-list.module.css";
import { isOpen, requestInWords, STATUSES, type Enquiry, type EnquiryForm } from "./fields.ts";
import { enquiryColumns, enquiryFilter } from "./filter.ts";
import { counted } from "../frame/counted.ts";
import { bookRequest, deleteEnquiry } from "./queries.ts";
import { useStatuses, type Statuses } from "./use-statuses.ts";

interface EnquiryListProps {
  enquiries: Promise<Loaded<Enquiry>>;
  page: RecordPageState<EnquiryForm>;
  /** The choice of the listed enquiries. */
  scope: ReactNode;
}

/** The list of enquiries, the newest first. */
export function EnquiryList({ enquiries, page, scope }: EnquiryListProps) {
  const navigate = useNavigate();
  const statuses = useStatuses(page.show);
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
        renderActions={(enquiry) => (
          <RowActions>
            {enquiry.bookings.length === 0 && enquiry.request !== "waiting" && (
              <RowAction
                label="Book"
                what={inWords(enquiry)}
                run={() =>
                  void (enquiry.request === "place" && enquiry.course_id !== null
                    ? page.act(() => bookRequest(browserClient(), enquiry))
                    : navigate(`${href("/admin/bookings")}?enquiry=${enquiry.id}`))
                }
              />
            )}
            <RowAction label="Note" what={inWords(enquiry)} run={() => page.begin({ form: "edit", edit: startEdit(enquiry) })} />
            <DeleteButton
              what={inWords(enquiry)}
              question={`Delete this enquiry? This cannot be undone.${enquiry.bookings.length === 0 ? "" : " Its booking stays."}`}
              run={() => page.remove(enquiry, () => deleteEnquiry(browserClient(), enquiry.id))}
            />
          </RowActions>
        )}
      />
    </>
  );
}

function columnsOf(statuses: Statuses): readonly Column<Enquiry>[] {
  return [
    { heading: "From", share: 18, cell: (enquiry) => <From {...enquiry} /> },
    { heading: "Question", share: 36, cell: (enquiry) => <Question {...enquiry} /> },
    { heading: "Contact", share: 18, cell: ({ reply_to, phone }) => <Reply replyTo={reply_to} phone={phone} /> },
    {
      heading: "Status",
      cell: (enquiry) => (
        <div className={styles.status}>
          <select
            className={styles.choice}
            data-status={statuses.of(enquiry)}
            aria-label={`Status of ${inWords(enquiry)}`}
            value={statuses.of(enquiry)}
            onChange={(event) => statuses.set(enquiry, event.currentTarget.value)}
          >
            <Options labels={STATUSES} />
          </select>
          {enquiry.bookings.map((booking) => (
            <Link key={booking.id} to={`${href("/admin/bookings")}?date=${booking.course_id}`}>
              Booked for {shortDay(booking.course_dates.course_date)}
            </Link>
          ))}
        </div>
      ),
    },
    { heading: "Note", share: 12, cell: ({ note }) => note },
  ];
}

function From({ name, created_at }: Enquiry) {
  return (
    <>
      <strong>{name}</strong>
      <Moment iso={created_at} className="second" />
    </>
  );
}

function Reply({ replyTo, phone }: { replyTo: string; phone: string | null }) {
  return (
    <span className="contacts">
      {phone !== null && <ContactLink contact={phone} />} <ContactLink contact={replyTo} />
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

/** "Ada Fell, 21 Nov, 14:05" */
function inWords({ name, created_at }: Enquiry): string {
  return `${name}, ${shortDay(created_at)}, ${londonDate(created_at).time}`;
}

function shortDay(iso: string): string {
  const { day, month } = londonDate(iso);
  return `${day} ${month}`;
}

function inTotal(listed: readonly Enquiry[], all: number): string {
  const waiting = listed.filter(({ status }) => status === "new").length;
  const listedOf = listed.length === all ? "" : `${listed.length} of `;
  return `${listedOf}${counted(all, "enquiry", "enquiries")}, ${waiting} new`;
}
