import { isLetterKind, letterKinds } from "content/letters.ts";
import { useId, useState } from "react";
import { href, Link } from "react-router";
import { LETTER_STATES } from "../../letters/letter-states.ts";
import { browserClient, type BrowserSupabase } from "../../supabase/supabase.client.ts";
import { LoadStatus } from "../frame/load-status.tsx";
import type { Loaded } from "../frame/outcome.ts";
import { useLoaded } from "../frame/use-loaded.ts";
import { readList } from "../lists/read-list.ts";
import { Moment } from "../time/moment.tsx";
import type { BookingLetter } from "./fields.ts";

/** The letters of a booking: sent, waiting and failed ones. */
export function BookingLetters({ bookingId }: { bookingId: string }) {
  const [loading, load] = useState(() => listLettersOf(browserClient(), bookingId));
  const letters = useLoaded(loading);
  const titleId = useId();
  return (
    <section aria-labelledby={titleId} className="panel">
      <h2 id={titleId}>Letters</h2>
      <LoadStatus result={letters} retry={() => load(listLettersOf(browserClient(), bookingId))} />
      {letters?.ok && letters.rows.length === 0 && <p>None yet.</p>}
      {letters?.ok && letters.rows.length > 0 && (
        <>
          <ul>
            {letters.rows.map(({ id, kind, state, due_at, sent_at }) => (
              <li key={id}>
                {isLetterKind(kind) ? letterKinds[kind].label : kind}: {LETTER_STATES[state]?.toLowerCase()},{" "}
                <Moment iso={sent_at ?? due_at} weekday />
              </li>
            ))}
          </ul>
          <Link to={`${href("/admin/letters")}?booking=${bookingId}`}>Open the letters</Link>
        </>
      )}
    </section>
  );
}

/** Lists the letters of a booking, the latest first. */
function listLettersOf(supabase: BrowserSupabase, bookingId: string): Promise<Loaded<BookingLetter>> {
  return readList("letters", (from, to) =>
    supabase
      .from("letters")
      .select("id, kind, state, due_at, sent_at")
      .eq("booking_id", bookingId)
      .order("due_at", { ascending: false })
      .order("id")
      .range(from, to),
  );
}
