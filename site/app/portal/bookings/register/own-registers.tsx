import { href, Link } from "react-router";
import { dateInWords, type BookableDate } from "../../bookable-dates/bookable-date.ts";
import { isPast } from "../../bookable-dates/course-date-status.ts";
import { DateStatus } from "../../bookable-dates/date-status.tsx";
import { placesInWords } from "../../bookable-dates/places.ts";
import type { Loaded } from "../../frame/outcome.ts";
import { PageFrame } from "../../frame/page-frame.tsx";
import { RecordList } from "../../lists/record-list.tsx";
import type { Column } from "../../lists/record-table.tsx";
import { RowActions } from "../../lists/row-actions.tsx";

const columns: readonly Column<BookableDate>[] = [
  {
    heading: "Course date",
    cell: (date) => <strong>{date.status === "cancelled" ? <s>{dateInWords(date)}</s> : dateInWords(date)}</strong>,
  },
  { heading: "Places", cell: (date) => placesInWords(date) },
  { heading: "Status", cell: (date) => <DateStatus date={date} /> },
];

/** The first page of a trainer: the upcoming and recent course dates of this account, each with its register. */
export default function OwnRegisters({ dates }: { dates: Promise<Loaded<BookableDate>> }) {
  return (
    <PageFrame title="My registers">
      <RecordList
        caption="My registers"
        loaded={dates}
        columns={columns}
        empty={{ title: "No course dates yet...", text: "The office has not put you on a course date. Your registers will be here." }}
        isPast={(date) => date.status === "cancelled" || isPast(date)}
        groupOf={(date) => (isPast(date) ? "The last 30 days" : "Upcoming")}
        renderActions={({ id, ...date }) => (
          <RowActions>
            <Link to={href("/admin/courses/:dateId/register", { dateId: id })} aria-label={`Register of ${dateInWords(date)}`}>
              Register
            </Link>
          </RowActions>
        )}
      />
    </PageFrame>
  );
}
