import { browserClient } from "../../supabase/supabase.client.ts";
import { DeleteButton } from "../records/delete-button.tsx";
import { Moment } from "../time/moment.tsx";
import { LoadStatus } from "../frame/load-status.tsx";
import type { Loaded, Outcome } from "../frame/outcome.ts";
import { useLoaded } from "../frame/use-loaded.ts";
import { deviceInWords } from "./device.ts";
import styles from "./profile.module.css";
import { signOutElsewhere, type OwnSession } from "./queries.ts";

interface SessionsProps {
  sessions: Promise<Loaded<OwnSession>>;
  act: (action: () => Promise<Outcome>) => Promise<unknown>;
}

/** The sessions of this account, and a button that ends all others. */
export function Sessions({ sessions, act }: SessionsProps) {
  const result = useLoaded(sessions);
  return (
    <section aria-labelledby="sessions-title">
      <h2 id="sessions-title">Where you are signed in</h2>
      <LoadStatus result={result} />
      {result?.ok && (
        <ul className={styles.rows}>
          {result.rows.map((session) => (
            <li key={session.id}>
              <span>
                <strong>{deviceInWords(session.user_agent)}</strong>
                {session.this && " (this one)"}
                <br />
                Last used <Moment iso={session.used_at} />, since <Moment iso={session.created_at} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {result?.ok && result.rows.length > 1 && (
        <DeleteButton
          what="On every device but this one"
          question="Sign out everywhere else?"
          verb="Sign out everywhere else"
          busyLabel="Signing out..."
          run={() => act(() => signOutElsewhere(browserClient()))}
        />
      )}
    </section>
  );
}
