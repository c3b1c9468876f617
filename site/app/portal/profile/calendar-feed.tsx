import { browserClient } from "../../supabase/supabase.client.ts";
import { londonDay } from "../../time/london-date.ts";
import { CopyField } from "../forms/copy-field.tsx";
import { LoadStatus } from "../frame/load-status.tsx";
import type { Loaded, Outcome } from "../frame/outcome.ts";
import { useLoaded } from "../frame/use-loaded.ts";
import { ActionButton } from "../lists/row-actions.tsx";
import { DeleteButton } from "../records/delete-button.tsx";
import { makeFeed, removeFeed } from "./queries.ts";

interface CalendarFeedProps {
  /** The time at which the address was made; no row without an address. */
  feed: Promise<Loaded<string>>;
  /** The address, right after it was made. */
  address: string | null;
  setAddress: (address: string | null) => void;
  act: (action: () => Promise<Outcome>) => Promise<unknown>;
}

/** The secret address at which a calendar program reads the course dates. */
export function CalendarFeed({ feed, address, setAddress, act }: CalendarFeedProps) {
  const result = useLoaded(feed);
  const made = result?.ok ? result.rows[0] : undefined;

  return (
    <section id="calendar" aria-labelledby="calendar-title">
      <h2 id="calendar-title">Your calendar</h2>
      <p>
        Subscribe to this address in Outlook, in Google Calendar or on your phone: the course dates appear there with the places taken,
        without names of customers. Anybody who knows the address can read them.
      </p>
      <LoadStatus result={result} />
      {address !== null && <CopyField label="Address" value={address} />}
      {made !== undefined && (
        <p>
          {address === null
            ? `Your address was made on ${londonDay(made)} and shown only then. A new address replaces it.`
            : "Copy it now: it is not shown again."}
        </p>
      )}
      {result?.ok && address === null && (
        <div className="row">
          <ActionButton size="normal" run={() => act(() => makeFeed(browserClient(), setAddress))}>
            {made === undefined ? "Make an address" : "Make a new address"}
          </ActionButton>
          {made !== undefined && (
            <DeleteButton
              what="the address of your calendar"
              question="Remove the address?"
              consequence="Calendar programs that use it get no more dates."
              verb="Remove"
              busyLabel="Removing..."
              run={() => act(() => removeFeed(browserClient()))}
            />
          )}
        </div>
      )}
    </section>
  );
}
