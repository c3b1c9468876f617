import { useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { browserClient } from "../../supabase/supabase.client.ts";
import { outcomeOf, type Outcome } from "../frame/outcome.ts";
import { setStatus } from "./queries.ts";
import type { Enquiry } from "./schema.ts";

interface Statuses {
  of: (enquiry: Enquiry) => string;
  set: (enquiry: Enquiry, status: string) => void;
  /** What was changed last, for people who do not see it. */
  said: string;
}

/** A status as it was chosen, over the row as it was seen then. */
interface Chosen {
  status: string;
  over: string;
}

/** Statuses that change as they are chosen and are written one after the other; `refuse` is told why one could not be. */
export function useStatuses(refuse: (outcome: Outcome) => void): Statuses {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Chosen>>(new Map());
  const [said, setSaid] = useState("");
  const { revalidate } = useRevalidator();
  const writing = useRef(Promise.resolve());

  function of({ id, status, updated_at }: Enquiry): string {
    const choice = chosen.get(id);
    // A row that was read again says itself how it stands.
    return choice?.over === updated_at ? choice.status : status;
  }

  async function write(enquiry: Enquiry, from: string, status: string): Promise<void> {
    const outcome = await outcomeOf(setStatus(browserClient(), enquiry, from, status));
    if (outcome.ok) {
      setSaid(outcome.message);
      void revalidate();
      return;
    }
    setChosen((now) => new Map([...now].filter(([id]) => id !== enquiry.id)));
    refuse(outcome);
  }

  function set(enquiry: Enquiry, status: string): void {
    const from = of(enquiry);
    setChosen((now) => new Map(now).set(enquiry.id, { status, over: enquiry.updated_at }));
    writing.current = writing.current.then(() => write(enquiry, from, status));
  }

  return { of, set, said };
}
