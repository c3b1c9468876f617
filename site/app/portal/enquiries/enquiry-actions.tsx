import { href, useNavigate } from "react-router";
import { browserClient } from "../../supabase/supabase.client.ts";
import { londonDate, londonShortDay } from "../../time/london-date.ts";
import { RowAction, RowActions } from "../lists/row-actions.tsx";
import { DeleteButton } from "../records/delete-button.tsx";
import { startEdit } from "../records/save-record.ts";
import type { RecordPageState } from "../records/use-record-page.ts";
import { isActive, type Enquiry, type EnquiryForm } from "./fields.ts";
import { bookRequest, deleteEnquiry } from "./queries.ts";

interface EnquiryActionsProps {
  enquiry: Enquiry;
  page: RecordPageState<EnquiryForm>;
}

/** The actions of an enquiry, in its row and in its panel. */
export function EnquiryActions({ enquiry, page }: EnquiryActionsProps) {
  const navigate = useNavigate();
  const what = inWords(enquiry);

  function book(): Promise<unknown> | void {
    if (enquiry.request === "place" && enquiry.course_id !== null) return page.act(() => bookRequest(browserClient(), enquiry));
    return navigate(`${href("/admin/bookings")}?enquiry=${enquiry.id}`);
  }

  return (
    <RowActions>
      {!enquiry.bookings.some(isActive) && enquiry.request !== "waiting" && <RowAction label="Book" what={what} run={book} />}
      <RowAction label="Note" what={what} run={() => page.begin({ form: "edit", edit: startEdit(enquiry) })} />
      <DeleteButton
        what={what}
        question={`Delete this enquiry? This cannot be undone.${enquiry.bookings.length === 0 ? "" : " Its booking stays."}`}
        run={() => page.remove(enquiry, () => deleteEnquiry(browserClient(), enquiry.id))}
      />
    </RowActions>
  );
}

/** "Ada Fell, 21 Nov, 14:05" */
export function inWords({ name, created_at }: Enquiry): string {
  return `${name}, ${londonShortDay(created_at)}, ${londonDate(created_at).time}`;
}
