import { isLetterKind, letterKinds } from "content/letters.ts";
import { useMemo } from "react";
import { href, Link } from "react-router";
import { LETTER_STATES } from "../../letters/letter-states.ts";
import { browserClient } from "../../supabase/supabase.client.ts";
import { LoadStatus } from "../frame/load-status.tsx";
import { usePromise } from "../frame/use-promise.ts";
import { Moment } from "../time/moment.tsx";
import { listLettersOf } from "./queries.ts";

/** The letters of a booking: sent, waiting and failed ones. */
export default function BookingLetters({ bookingId }: { bookingId: string }) {
  const letters = usePromise(useMemo(() => listLettersOf(browserClient(), bookingId), [bookingId]));
  return (
    <section aria-labelledby="letters-of-booking" className="panel">
      <h2 id="letters-of-booking">Letters</h2>
      <LoadStatus result={letters} />
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
