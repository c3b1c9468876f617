import { randomInt } from "node:crypto";
import { z } from "zod";
import type { Transaction } from "../../db/database.ts";
import { ipAddress } from "../../client-network.ts";
import { audit } from "../audit.ts";
import type { Call } from "../context.ts";
import { countSuccess } from "../guesses.ts";
import { INSTANCE } from "../accounts/user-changes.ts";
import { findUserBeside, readUser, type User } from "../accounts/users.ts";

/** The form of a session as `SELECT_SESSION` reads it. */
export const sessionSchema = z.object({
  id: z.string(),
  user_id: z.string(),
  expired: z.boolean(),
  /** Seconds since the start, and since the last refresh. */
  age: z.number(),
  idle: z.number(),
  /** Newest first. */
  amr: z.array(z.object({ method: z.string(), timestamp: z.number() })),
});

// Creating a schema costs more than using it.
const maybeSessionSchema = sessionSchema.nullable();

/** A signed-in client with its authentication methods. */
export type Session = z.infer<typeof sessionSchema>;

/** The result of a sign-in or refresh, from which the access token is made. */
export interface Grant {
  user: User;
  session: Session;
  refreshToken: string;
}

/** The authentication methods, as in the `amr` claim. */
export type AuthenticationMethod = "password" | "anonymous" | "totp" | "mfa/phone" | "mfa/webauthn" | "otp" | FlowMethod;

/** The authentication methods of flows that PKCE finishes. */
export const FLOW_METHODS = ["oauth", "sso/saml", "email/signup", "invite", "magiclink", "recovery", "email_change"] as const;
type FlowMethod = (typeof FLOW_METHODS)[number];

/** Reads sessions as `s`. */
export const SELECT_SESSION = `select s.id, s.user_id, coalesce(s.not_after <= now(), false) as expired,
    extract(epoch from now() - s.created_at)::float8 as age,
    extract(epoch from now() - coalesce(s.refreshed_at at time zone 'utc', s.created_at))::float8 as idle,
    to_json(array(select json_build_object('method', c.authentication_method, 'timestamp', floor(extract(epoch from c.updated_at)))
       from auth.mfa_amr_claims c where c.session_id = s.id order by c.updated_at desc)) as amr
  from auth.sessions s`;

export function findSession(tx: Transaction, id: string): Promise<Session | undefined> {
  return select(tx, "where s.id = $1", id);
}

/** Reads an account and, if `sessionId` is given, that session, as the last statement of a transaction. */
export async function findCaller(
  tx: Transaction,
  userId: string,
  sessionId: string | undefined,
): Promise<{ user: User; session: Session | undefined } | undefined> {
  const found = await findUserBeside(tx.last, "$1", `${SELECT_SESSION} where s.id = $2::text::uuid`, [userId, sessionId ?? null]);
  return found && { user: found.user, session: maybeSessionSchema.parse(found.beside) ?? undefined };
}

/** Reads a session and locks it, and its tokens, until the transaction ends. */
export function lockSession(tx: Transaction, id: string): Promise<Session | undefined> {
  return select(tx, "where s.id = $1 for update of s", id);
}

async function select(tx: Transaction, where: string, key: string): Promise<Session | undefined> {
  const [row] = await tx.query(`${SELECT_SESSION} ${where}`, [key]);
  return row && sessionSchema.parse(row);
}

const OPEN = `with session as (
    insert into auth.sessions (id, user_id, created_at, updated_at, aal, ip, user_agent, not_after)
    values ($1, $2, now(), now(), 'aal1', $3::text::inet, $4, $8)
  ), claim as (
    insert into auth.mfa_amr_claims (id, session_id, created_at, updated_at, authentication_method)
    values (gen_random_uuid(), $1, now(), now(), $5)
  ), token as (
    insert into auth.refresh_tokens (instance_id, user_id, token, revoked, created_at, updated_at, session_id)
    values ($6, $2::text, $7, false, now(), now(), $1)
  )
  update auth.users set last_sign_in_at = now(), updated_at = now() where id = $2`;

type OpenedSession = [userId: string, method: AuthenticationMethod, notAfter?: Date | null];

/** Opens a session for an account that was authenticated by `method`; it ends at `notAfter` if given. */
export async function openSession(tx: Transaction, call: Call, ...[userId, method, notAfter = null]: OpenedSession): Promise<Grant> {
  const id = crypto.randomUUID();
  const refreshToken = newRefreshToken();
  const [, grant] = await Promise.all([
    tx.query(OPEN, [id, userId, ipAddress(call.address), userAgent(call.request), method, INSTANCE, refreshToken, notAfter]),
    readGrant(tx, id, userId, refreshToken),
  ]);
  await rememberNetwork(tx, call, grant.user);
  return grant;
}

/** Opens a session like `openSession` and records the sign-in. */
export async function signIn(tx: Transaction, call: Call, ...session: OpenedSession): Promise<Grant> {
  const grant = await openSession(tx, call, ...session);
  await audit(tx, call, "login", grant.user);
  return grant;
}

/** Reads a session that was written in this transaction, with its account. */
export async function readGrant(tx: Transaction, sessionId: string, userId: string, refreshToken: string): Promise<Grant> {
  const [session, user] = await Promise.all([findSession(tx, sessionId), readUser(tx, userId)]);
  if (!session) throw new Error("A session vanished inside the transaction that wrote it");
  return { user, session, refreshToken };
}

/** Makes the caller's network known for guesses at the password. A single sign-on account has none and may share its address. */
async function rememberNetwork(tx: Transaction, call: Call, { email, phone, is_sso_user: sso }: User): Promise<void> {
  if (sso) return;
  if (email) await countSuccess(tx, call, { password: { channel: "email", value: email } });
  if (phone) await countSuccess(tx, call, { password: { channel: "phone", value: phone } });
}

const END = `delete from auth.sessions where user_id = $1 and ($2::text is null or id = $2::text::uuid)
  and ($3::text is null or id <> $3::text::uuid)`;

/** Ends sessions of an account with their tokens: all, `only` one, or all but `keep`. */
export async function endSessions(
  tx: Transaction,
  userId: string,
  { only, keep }: { only?: string; keep?: string | undefined } = {},
): Promise<void> {
  await tx.query(END, [userId, only ?? null, keep ?? null]);
}

/** Ends everything that an old password granted: every session but `keep`, and unused one-time tokens and PKCE codes. */
export async function endOldProofs(tx: Transaction, userId: string, keep?: string): Promise<void> {
  await endSessions(tx, userId, { keep });
  await tx.query("delete from auth.one_time_tokens where user_id = $1", [userId]);
  await tx.query("delete from auth.flow_state where user_id = $1 or linking_target_id = $1", [userId]);
}

const ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789";

/** Creates a refresh token with 62 random bits. */
export function newRefreshToken(): string {
  return Array.from({ length: 12 }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
}

/** Returns the user agent of a request, shortened to 255 characters. */
export function userAgent(request: Request): string {
  return (request.headers.get("user-agent") ?? "").slice(0, 255);
}
