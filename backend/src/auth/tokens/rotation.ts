import { z } from "zod";
import type { Transaction } from "../../db/database.ts";
import { ipAddress } from "../../client-network.ts";
import { audit } from "../audit.ts";
import type { AuthContext, Call } from "../context.ts";
import { AuthError } from "../errors.ts";
import { INSTANCE } from "../accounts/user-changes.ts";
import { lockSessionOfToken, newRefreshToken, userAgent, type Grant, type Session } from "./sessions.ts";
import { findUserBeside, isBanned, type User } from "../accounts/users.ts";

const presentedSchema = z.object({
  revoked: z.boolean(),
  /** The valid token of the session, and whether the presented token is its parent. */
  active: z.string().nullable(),
  parentOfActive: z.boolean(),
  /** True if the token was revoked within the reuse interval. */
  recent: z.boolean(),
});

/** The state of a presented refresh token within its session. */
export type Presented = z.infer<typeof presentedSchema>;

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
  const session = await lockFamily(tx, token);
  const { settings } = call.auth;
  const { user, presented } = await look(tx, session, token, settings.refresh_token_reuse_interval);
  if (isBanned(user)) throw new AuthError(400, "user_banned", "Invalid Refresh Token: User Banned");
  requireLiving(session, settings.sessions);

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
  const seen = [ipAddress(call.address), userAgent(call.request)];
  await Promise.all([
    tx.query(REPLACE, [token, INSTANCE, user.id, refreshToken, session.id, ...seen]),
    audit(tx, call, ["token_refreshed", "token_revoked"], user),
  ]);
  return { user, session, refreshToken };
}

/** Fails for a session beyond its time limit or inactivity limit. */
function requireLiving(
  { expired, age, idle }: Session,
  { timebox, inactivity_timeout: inactivity }: AuthContext["settings"]["sessions"],
): void {
  const message = "Invalid Refresh Token: Session Expired";
  if (expired || (timebox > 0 && age > timebox)) throw new AuthError(400, "session_expired", message);
  if (inactivity > 0 && idle > inactivity) throw new AuthError(400, "session_expired", `${message} (Inactivity)`);
}

// The lock of the session row serialises all refreshes of its tokens.
async function lockFamily(tx: Transaction, token: string): Promise<Session> {
  const session = await lockSessionOfToken(tx, token);
  if (session) return session;
  const [known] = await tx.query("select from auth.refresh_tokens where token = $1", [token]);
  throw known ? noSession() : new AuthError(400, "refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found");
}

function noSession(): AuthError {
  return new AuthError(400, "session_not_found", "Invalid Refresh Token: No Valid Session Found");
}

// clock_timestamp() and not now(), which may be earlier than the lock that this transaction waited for.
const LOOK = `select t.revoked, active.token as active, active.parent is not distinct from t.token as "parentOfActive",
    t.updated_at + $4::float8 * interval '1 second' > clock_timestamp() as recent
  from auth.refresh_tokens t
  left join lateral (
    select token, parent from auth.refresh_tokens where session_id = $3::text::uuid and not revoked order by id desc limit 1
  ) active on true
  where t.token = $2`;

const REVOKE_FAMILY = `update auth.refresh_tokens set revoked = true, updated_at = now() where session_id = $1 and not revoked`;

const REPLACE = `with old as (
    update auth.refresh_tokens set revoked = true, updated_at = clock_timestamp() where token = $1
  ), touched as (
    update auth.sessions set refreshed_at = now() at time zone 'utc', updated_at = now(), ip = $6::text::inet, user_agent = $7 where id = $5
  )
  insert into auth.refresh_tokens (instance_id, user_id, token, parent, revoked, created_at, updated_at, session_id)
  values ($2, $3, $4, $1, false, clock_timestamp(), clock_timestamp(), $5)`;

async function look(tx: Transaction, session: Session, token: string, reuseSeconds: number): Promise<{ user: User; presented: Presented }> {
  const found = await findUserBeside(tx.query, session.user_id, LOOK, [token, session.id, reuseSeconds]);
  // Null if the session ended in the meantime.
  const presented = presentedSchema.nullable().parse(found?.beside ?? null);
  if (!found || !presented) throw noSession();
  return { user: found.user, presented };
}
