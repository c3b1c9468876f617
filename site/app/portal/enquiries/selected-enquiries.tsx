import { Button } from "../../ui/button.tsx";
import { WriteTo } from "../lists/selection/write-to.tsx";
import { isOpen, STATUSES, type Enquiry } from "./fields.ts";
import type { Statuses } from "./use-statuses.ts";

interface SelectedEnquiriesProps {
  enquiries: readonly Enquiry[];
  statuses: Statuses;
  /** Clears the selection. */
  clear: () => void;
}

/** The actions on selected enquiries: close those that are open, and write to all with an e-mail address. */
export default function SelectedEnquiries({ enquiries, statuses, clear }: SelectedEnquiriesProps) {
  const open = enquiries.filter((enquiry) => isOpen(statuses.of(enquiry)));
  const people = enquiries.map(({ reply_to }) => ({ email: reply_to.includes("@") ? reply_to.trim() : null }));

  function close(): void {
    for (const enquiry of open) statuses.set(enquiry, "closed");
    clear();
  }

  return (
    <>
      {open.length > 0 && (
        <Button look="plain" size="small" onClick={close}>
          Mark {open.length} as {STATUSES.closed.toLowerCase()}
        </Button>
      )}
      <WriteTo people={people} />
    </>
  );
}
