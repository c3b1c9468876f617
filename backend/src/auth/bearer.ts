import { IdentityError } from "../errors.ts";
import type { Transaction } from "../db/database.ts";
import { bearerToken, type Identity } from "../identity.ts";
import { uuid } from "../uuid.ts";
import { AUDIENCE, type Call } from "./context.ts";
import { AuthError, validationFailed } from "./errors.ts";
import { findCaller, findSession, type Session } from "./tokens/sessions.ts";
import { assuranceLevel } from "./tokens/token-response.ts";
import { isBanned, lockUser, type User } from "./accounts/users.ts";

/** The account of an access token. A token that was signed with the project's key may have no session. */
export interface Caller {
  user: User;
  session: Session | undefined;
  /** The lower level of the session and the token; a token from before the second factor stays at aal1. */
  assurance: "aal1" | "aal2";
}

/** A caller with a permanent account and a session. */
export interface Member extends Caller {
  session: Session;
}

const ADMIN_ROLES = new Set(["service_role", "supabase_admin"]);

/** Reads the caller from the bearer token, which is valid until `exp` or the end of its session. Fails with an `AuthError`. */
export async function requireCaller(call: Call): Promise<Caller> {
  if (bearerToken(call.request) === undefined) throw noAuthorization();
  const { claims } = await identityOf(call);
  if (claims.sub === undefined || claims.sub === "") throw badJwt("invalid claim: missing sub claim");
  const userId = uuid.safeParse(claims.sub);
  if (!userId.success) throw new AuthError(400, "bad_jwt", "invalid claim: sub claim must be a UUID");
  const sessionId = sessionOf(claims);
  if (claims.iss !== call.auth.issuer) throw badJwt("invalid JWT: unable to parse or verify signature, token has an unknown issuer");
  if (![claims.aud].flat().includes(call.request.headers.get("x-jwt-aud") ?? AUDIENCE))
    throw validationFailed("Token audience doesn't match request audience");

  const found = await call.auth.database.transaction((tx) => findCaller(tx, userId.data, sessionId), { readOnly: true });
  if (!found) throw new AuthError(403, "user_not_found", "User from sub claim in JWT does not exist");
  const { user, session } = found;
  if (sessionId !== undefined && (session?.user_id !== user.id || session.expired)) throw sessionNotFound();
  if (isBanned(user)) throw new AuthError(403, "user_banned", "User is banned");
  const assurance = claims.aal === "aal2" && session ? assuranceLevel(session.amr) : "aal1";
  return { user, session, assurance };
}

/** Fails with an `AuthError` for an anonymous account or a token without a session. */
export function requireMember({ session, ...caller }: Caller): Member {
  if (caller.user.is_anonymous) throw new AuthError(403, "no_authorization", "Anonymous user not allowed to perform these actions");
  if (!session) throw sessionNotFound();
  return { ...caller, session };
}

/** Fails with an `AuthError` unless the request carries the secret key or a token of the service role. */
export async function requireAdmin(call: Call): Promise<void> {
  if (call.request.headers.has("authorization") && bearerToken(call.request) === undefined) throw noAuthorization();
  const { role, claims } = await identityOf(call);
  if (!ADMIN_ROLES.has(role)) throw new AuthError(403, "not_admin", "User not allowed");
  const sessionId = sessionOf(claims);
  if (sessionId === undefined) return;
  const session = await call.auth.database.transaction((tx) => findSession(tx, sessionId), { readOnly: true });
  if (!session || session.expired) throw new AuthError(403, "session_expired", "Session of the admin token has ended");
}

/** Reads the caller's account again and locks it. Fails with an `AuthError` if it was deleted. */
export async function lockCaller(tx: Transaction, { user }: Caller): Promise<User> {
  const current = await lockUser(tx, user.id);
  if (!current) throw sessionNotFound();
  return current;
}

/** Returns the error for a token whose session ended; auth-js then deletes its stored session. */
export function sessionNotFound(): AuthError {
  return new AuthError(403, "session_not_found", "Session from session_id claim in JWT does not exist");
}

function sessionOf({ session_id: given = "" }: Identity["claims"]): string | undefined {
  if (given === "") return undefined;
  const id = uuid.safeParse(given);
  if (!id.success) throw badJwt("invalid claim: session_id claim must be a UUID");
  return id.data;
}

async function identityOf({ auth, request }: Call): Promise<Identity> {
  try {
    return await auth.identify(request);
  } catch (error) {
    if (!(error instanceof IdentityError)) throw error;
    if (error.reason === "missing") throw noAuthorization();
    if (error.reason === "unknown_key") throw new AuthError(401, "no_authorization", "Invalid API key");
    throw badJwt(`invalid JWT: unable to parse or verify signature, ${error.message}`);
  }
}

function noAuthorization(): AuthError {
  return new AuthError(401, "no_authorization", "This endpoint requires a valid Bearer token");
}

function badJwt(message: string): AuthError {
  return new AuthError(403, "bad_jwt", message);
}
