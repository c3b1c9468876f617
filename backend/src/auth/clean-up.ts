import { HOUR_MS, type Job } from "../jobs.ts";
import type { AuthContext } from "./context.ts";

/** What has expired and nobody will ask for again; `$1` is a session's lifetime and `$2` its patience, in seconds. */
const EXPIRED = [
  // A code is good for a day at most.
  "delete from auth.one_time_tokens where created_at < (now() - interval '2 days') at time zone 'utc'",
  "delete from auth.flow_state where created_at < now() - interval '2 days'",
  "delete from auth.setup_tokens where expires_at <= now()",
  "delete from auth.rate_limits where filled_until < now() - interval '1 hour'",
  "delete from auth.mfa_challenges where created_at < now() - interval '1 day'",
  "delete from auth.mfa_factors where status = 'unverified' and created_at < now() - interval '5 minutes'",
  "delete from auth.oauth_client_states where created_at < now() - interval '1 day'",
  // Of no use to anybody once its link is, and it names people.
  "delete from auth.mail_outbox where next_attempt_at is null and created_at < now() - interval '7 days'",
  // Told "expired" for a day, "not found" from then on.
  "delete from auth.sessions where not_after < now() - interval '1 day'",
];

const ENDED_SESSIONS = `delete from auth.sessions where
    ($1::float8 > 0 and created_at + $1::float8 * interval '1 second' < now() - interval '1 day')
    or ($2::float8 > 0 and coalesce(refreshed_at at time zone 'utc', created_at) + $2::float8 * interval '1 second' < now() - interval '1 day')`;

/** Removes what has expired, each kind on its own. */
export async function cleanUp({ database, settings }: Pick<AuthContext, "database" | "settings">): Promise<void> {
  const { timebox, inactivity_timeout: patience } = settings.sessions;
  for (const statement of EXPIRED) await database.transaction((tx) => tx.query(statement));
  await database.transaction((tx) => tx.query(ENDED_SESSIONS, [timebox, patience]));
}

/** The hourly clean-up. */
export function cleanUpJob(auth: Pick<AuthContext, "database" | "settings">): Job {
  return { name: "auth-clean-up", intervalMs: HOUR_MS, run: () => cleanUp(auth) };
}
