import { useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { browserClient } from "../../supabase/supabase.client.ts";
import { outcomeOf } from "../frame/outcome.ts";
import type { RecordPageState } from "../records/use-record-page.ts";
import { setStatus } from "./queries.ts";
import type { Enquiry } from "./fields.ts";

/** The statuses of the list, including changes that are being saved. */
export interface Statuses {
  of: (enquiry: Enquiry) => string;
  set: (enquiry: Enquiry, status: string) => void;
  /** The last change, for screen readers. */
  announced: string;
}

/** A chosen status, and the version of the row it replaces. */
interface Chosen {
  status: string;
  version: string;
}

/** Optimistic updates of statuses, saved one after the other; the page shows the error of one that failed. */
export function useStatuses({ track, show }: Pick<RecordPageState<unknown>, "track" | "show">): Statuses {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Chosen>>(new Map());
  const [announced, setAnnounced] = useState("");
  const { revalidate } = useRevalidator();
  const writing = useRef(Promise.resolve());

  function of({ id, status, updated_at }: Enquiry): string {
    const choice = chosen.get(id);
    // A row that was read again has its own status.
    return choice?.version === updated_at ? choice.status : status;
  }

  async function write(enquiry: Enquiry, from: string, status: string): Promise<void> {
    const outcome = await outcomeOf(track(setStatus(browserClient(), enquiry, from, status)));
    if (outcome.ok) {
      setAnnounced(outcome.message);
      void revalidate();
      return;
    }
    setChosen((now) => new Map([...now].filter(([id]) => id !== enquiry.id)));
    show(outcome);
  }

  function set(enquiry: Enquiry, status: string): void {
    const from = of(enquiry);
    setChosen((now) => new Map(now).set(enquiry.id, { status, version: enquiry.updated_at }));
    writing.current = writing.current.then(() => write(enquiry, from, status));
  }

  return { of, set, announced };
}
