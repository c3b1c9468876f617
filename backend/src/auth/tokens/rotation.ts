import { z } from "zod";
import type { Transaction } from "../../db/database.ts";
import { ipAddress } from "../../client-network.ts";
import { audit, entryValues, INSERT_ENTRIES } from "../audit.ts";
import type { AuthContext, Call } from "../context.ts";
import { AuthError } from "../errors.ts";
import { newRefreshToken, SELECT_SESSION, sessionSchema, userAgent, type Grant, type Session } from "./sessions.ts";
import { findUserBeside, isBanned, type User } from "../accounts/users.ts";

const presentedSchema = z.object({
  revoked: z.boolean(),
  /** The valid token of the session; `parentOfActive` is true if the presented token is its parent. */
  active: z.string().nullable(),
  parentOfActive: z.boolean(),
  /** True if the token was revoked within the reuse interval. */
  recent: z.boolean(),
});

/** The state of a presented refresh token within its session. */
export type Presented = z.infer<typeof presentedSchema>;

const familySchema = z.object({ session: sessionSchema, presented: presentedSchema });

/** The account and the session of a presented token. */
interface Family extends z.infer<typeof familySchema> {
  user: User;
}

/** The decision about a presented token: issue a new one, return the active one again, or revoke the session's tokens. */
export type Verdict = "rotate" | "repeat" | "refuse";

/**
 * Decides about a presented token. A revoked token gets the active one again if the client may have missed the response:
 * at any time for the direct parent, and within the reuse interval for any other. A session without an active token was
 * revoked because of theft and stays revoked.
 */
export function judge({ revoked, active, parentOfActive, recent }: Presented): Verdict {
  if (!revoked) return "rotate";
  return active !== null && (parentOfActive || recent) ? "repeat" : "refuse";
}

/** Exchanges a refresh token. Returns an error instead of throwing it, so that the revocation is committed. */
export async function rotate(tx: Transaction, call: Call, token: string): Promise<Grant | AuthError> {
  const { settings } = call.auth;
  const { user, session, presented } = await lockFamily(tx, call, token);
  if (isBanned(user)) throw new AuthError(400, "user_banned", "Invalid Refresh Token: User Banned");
  requireUnexpired(session, settings.sessions);

  const verdict = judge(presented);
  if (verdict === "refuse") {
    if (settings.enable_refresh_token_rotation) await tx.query(REVOKE_FAMILY, [session.id]);
    await audit(tx, call, "token_revoked", user);
    return new AuthError(400, "refresh_token_already_used", "Invalid Refresh Token: Already Used");
  }
  if (verdict === "repeat" && presented.active !== null) {
    await audit(tx, call, "token_refreshed", user);
    return { user, session, refreshToken: presented.active };
  }
  const refreshToken = newRefreshToken();
  const entries = entryValues(call, ["token_refreshed", "token_revoked"], user);
  const seen = [ipAddress(call.address), userAgent(call.request)];
  await tx.query(REPLACE, [...entries, token, user.id, refreshToken, session.id, ...seen]);
  return { user, session, refreshToken };
}

/** Fails for a session beyond its time limit or inactivity limit. */
function requireUnexpired(
  { expired, age, idle }: Session,
  { timebox, inactivity_timeout: inactivity }: AuthContext["settings"]["sessions"],
): void {
  const message = "Invalid Refresh Token: Session Expired";
  if (expired || (timebox > 0 && age > timebox)) throw new AuthError(400, "session_expired", message);
  if (inactivity > 0 && idle > inactivity) throw new AuthError(400, "session_expired", `${message} (Inactivity)`);
}

// On a server, the lock of the session row serialises all refreshes of its tokens, and the second statement sees what the first one
// waited for. The embedded database runs one transaction at a time.
async function lockFamily(tx: Transaction, { auth }: Call, token: string): Promise<Family> {
  const locked = auth.database.kind === "postgres" ? tx.query(LOCK, [token]) : undefined;
  const reading = findUserBeside(tx.query, OWNER, LOOK, [token, auth.settings.refresh_token_reuse_interval]);
  const [, found] = await Promise.all([locked, reading]);
  if (found) return { user: found.user, ...familySchema.parse(found.beside) };
  const [known] = await tx.query("select from auth.refresh_tokens where token = $1", [token]);
  throw known ? noSession() : new AuthError(400, "refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found");
}

function noSession(): AuthError {
  return new AuthError(400, "session_not_found", "Invalid Refresh Token: No Valid Session Found");
}

// Waits at most five seconds for the lock (55P03), which the same statement sets, to save one per refresh.
const LOCK = `select from auth.sessions where id = (select session_id from auth.refresh_tokens where token = $1)
  and set_config('lock_timeout', '5s', true) is not null for update`;

const OWNER = `(select s.user_id from auth.refresh_tokens t join auth.sessions s on s.id = t.session_id where t.token = $1)`;

// clock_timestamp() and not now(), which may be earlier than the lock that this transaction waited for.
const LOOK = `select (select to_json(session) from (${SELECT_SESSION} where s.id = t.session_id) session) as session,
    json_build_object('revoked', t.revoked, 'active', active.token, 'parentOfActive', active.parent is not distinct from t.token,
      'recent', t.updated_at + $2::float8 * interval '1 second' > clock_timestamp()) as presented
  from auth.refresh_tokens t
  left join lateral (
    select token, parent from auth.refresh_tokens where session_id = t.session_id and not revoked order by id desc limit 1
  ) active on true
  where t.token = $1`;

const REVOKE_FAMILY = `update auth.refresh_tokens set revoked = true, updated_at = now() where session_id = $1 and not revoked`;

// With the entries of the audit log, because each statement costs the embedded database a message and an execution.
const REPLACE = `with audited as (${INSERT_ENTRIES}), old as (
    update auth.refresh_tokens set revoked = true, updated_at = clock_timestamp() where token = $4
  ), touched as (
    update auth.sessions set refreshed_at = now() at time zone 'utc', updated_at = now(), ip = $8::text::inet, user_agent = $9 where id = $7
  )
  insert into auth.refresh_tokens (instance_id, user_id, token, parent, revoked, created_at, updated_at, session_id)
  values ($1, $5, $6, $4, false, clock_timestamp(), clock_timestamp(), $7)`;
