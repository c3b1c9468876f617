import { Link, useNavigate } from "react-router";
import { londonDate } from "../../time/london-date.ts";
import { ContactLink } from "../lists/contact-link.tsx";
import { DeleteButton } from "../records/delete-button.tsx";
import { LongText } from "../lists/long-text.tsx";
import type { Loaded } from "../frame/outcome.ts";
import { RecordList } from "../lists/record-list.tsx";
import type { Column } from "../lists/record-table.tsx";
import { RowAction, RowActions } from "../lists/row-actions.tsx";
import styles from "./enquiry-list.module.css";
import { isOpen, type Enquiry } from "./fields.ts";
import { enquiryColumns, enquiryFilter } from "./filter.ts";
import { counted } from "../frame/counted.ts";
import { StatusChoice } from "./status-choice.tsx";

interface EnquiryListProps {
  enquiries: Promise<Loaded<Enquiry>>;
  removed: ReadonlySet<object>;
  /** The status of an enquiry, including a change that is being saved. */
  statusOf: (enquiry: Enquiry) => string;
  setStatus: (enquiry: Enquiry, status: string) => void;
  edit: (enquiry: Enquiry) => void;
  remove: (enquiry: Enquiry) => Promise<void>;
}

/** The list of enquiries, the newest first. */
export function EnquiryList({ enquiries, removed, statusOf, setStatus, edit, remove }: EnquiryListProps) {
  const navigate = useNavigate();
  return (
    <RecordList
      caption="Enquiries"
      loaded={enquiries}
      removed={removed}
      columns={columnsOf(statusOf, setStatus)}
      filter={enquiryFilter}
      total={inTotal}
      file={{ name: "enquiries", columns: enquiryColumns }}
      empty={{ title: "No enquiries here yet...", text: "Enquiries from the site appear here. Add one from a call with “New enquiry”." }}
      isPast={(enquiry) => !isOpen({ status: statusOf(enquiry) })}
      renderActions={(enquiry) => (
        <RowActions>
          {enquiry.bookings.length === 0 && (
            <RowAction label="Book" what={inWords(enquiry)} run={() => void navigate(`/admin/bookings?enquiry=${enquiry.id}`)} />
          )}
          <RowAction label="Note" what={inWords(enquiry)} run={() => edit(enquiry)} />
          <DeleteButton
            id={enquiry.id}
            what={inWords(enquiry)}
            question={
              enquiry.bookings.length === 0
                ? "Delete this enquiry? This cannot be undone."
                : "Delete this enquiry? This cannot be undone. Its booking stays."
            }
            run={() => remove(enquiry)}
          />
        </RowActions>
      )}
    />
  );
}

function columnsOf(statusOf: EnquiryListProps["statusOf"], setStatus: EnquiryListProps["setStatus"]): readonly Column<Enquiry>[] {
  return [
    { heading: "From", cell: (enquiry) => <From {...enquiry} /> },
    { heading: "Question", cell: (enquiry) => <Question {...enquiry} /> },
    {
      heading: "Status",
      cell: (enquiry) => (
        <div className={styles.status}>
          <StatusChoice name={inWords(enquiry)} status={statusOf(enquiry)} choose={(status) => setStatus(enquiry, status)} />
          {enquiry.bookings.map((booking) => (
            <Link key={booking.id} to={`/admin/bookings?date=${booking.course_id}`}>
              Booked for {shortDay(booking.course_dates.course_date)}
            </Link>
          ))}
        </div>
      ),
    },
    { heading: "Note", cell: ({ note }) => note },
  ];
}

function From({ name, reply_to, created_at }: Enquiry) {
  const { instant, weekday, day, month, year, time } = londonDate(created_at);
  return (
    <>
      <strong>{name}</strong>
      <span className="second">
        <ContactLink contact={reply_to} />
      </span>
      <time dateTime={instant} className="second">
        {weekday} {day} {month} {year}, {time}
      </time>
    </>
  );
}

function Question({ course_name, message }: Pick<Enquiry, "course_name" | "message">) {
  return (
    <>
      {course_name !== null && <span className={styles.course}>{course_name}</span>}
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
