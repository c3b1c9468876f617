import { HOUR_MS, type Job } from "../jobs.ts";
import type { AuthContext } from "./context.ts";
import { EXPIRED_GUESSES } from "./guesses.ts";

/** Deletes expired rows; `$1` is the time limit and `$2` the inactivity limit of a session, in seconds. */
const EXPIRED = [
  // A code is valid for a day at most.
  "delete from auth.one_time_tokens where created_at < (now() - interval '2 days') at time zone 'utc'",
  "delete from auth.flow_state where created_at < now() - interval '2 days'",
  "delete from auth.setup_tokens where expires_at <= now()",
  "delete from auth.rate_limits where filled_until < now() - interval '1 hour'",
  EXPIRED_GUESSES,
  "delete from auth.mfa_challenges where created_at < now() - interval '1 day'",
  "delete from auth.mfa_factors where status = 'unverified' and created_at < now() - interval '5 minutes'",
  "delete from auth.oauth_client_states where created_at < now() - interval '1 day'",
  // Useless after its link expired, and it contains an address.
  "delete from auth.mail_outbox where next_attempt_at is null and created_at < now() - interval '7 days'",
  // Refresh tokens get "expired" for a day and "not found" afterwards.
  "delete from auth.sessions where not_after < now() - interval '1 day'",
];

const ENDED_SESSIONS = `delete from auth.sessions where
    ($1::float8 > 0 and created_at + $1::float8 * interval '1 second' < now() - interval '1 day')
    or ($2::float8 > 0 and coalesce(refreshed_at at time zone 'utc', created_at) + $2::float8 * interval '1 second' < now() - interval '1 day')`;

/** Deletes expired rows, one transaction per table. */
export async function cleanUp({ database, settings }: Pick<AuthContext, "database" | "settings">): Promise<void> {
  const { timebox, inactivity_timeout: inactivity } = settings.sessions;
  for (const statement of EXPIRED) await database.transaction((tx) => tx.query(statement));
  await database.transaction((tx) => tx.query(ENDED_SESSIONS, [timebox, inactivity]));
}

/** The hourly clean-up. */
export function cleanUpJob(auth: Pick<AuthContext, "database" | "settings">): Job {
  return { name: "auth-clean-up", intervalMs: HOUR_MS, run: () => cleanUp(auth) };
}
