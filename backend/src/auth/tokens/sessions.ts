import { randomInt } from "node:crypto";
import { z } from "zod";
import type { Transaction } from "../../db/database.ts";
import { ipAddress } from "../../client-network.ts";
import type { Call } from "../context.ts";
import { INSTANCE } from "../accounts/user-changes.ts";
import { findUserById, type User } from "../accounts/users.ts";

const sessionSchema = z.object({
  id: z.string(),
  user_id: z.string(),
  expired: z.boolean(),
  /** Seconds since it was opened, and since it was last refreshed. */
  age: z.number(),
  idle: z.number(),
  /** Newest first. */
  amr: z.array(z.object({ method: z.string(), timestamp: z.number() })),
});

/** One login, on one device, with the methods it was proven by. */
export type Session = z.infer<typeof sessionSchema>;

/** What a sign-in or refresh won; the access token is made of it. */
export interface Grant {
  user: User;
  session: Session;
  refreshToken: string;
}

/** How a session was proven, in the words of the `amr` claim. */
export type AuthenticationMethod = "password" | "anonymous" | "totp" | "mfa/phone" | "mfa/webauthn" | "otp" | FlowMethod;

/** How a flow was begun that PKCE ends, in the same words. */
export const FLOW_METHODS = ["oauth", "sso/saml", "email/signup", "invite", "magiclink", "recovery", "email_change"] as const;
type FlowMethod = (typeof FLOW_METHODS)[number];

const SELECT_SESSION = `select s.id, s.user_id, coalesce(s.not_after <= now(), false) as expired,
    extract(epoch from now() - s.created_at)::float8 as age,
    extract(epoch from now() - coalesce(s.refreshed_at at time zone 'utc', s.created_at))::float8 as idle,
    (select coalesce(json_agg(json_build_object('method', c.authentication_method, 'timestamp', floor(extract(epoch from c.updated_at)))
       order by c.updated_at desc), '[]') from auth.mfa_amr_claims c where c.session_id = s.id) as amr
  from auth.sessions s`;

/** Reads a session that has not been ended. */
export async function findSession(tx: Transaction, id: string): Promise<Session | undefined> {
  const [row] = await tx.query(`${SELECT_SESSION} where s.id = $1`, [id]);
  return row && sessionSchema.parse(row);
}

/** Reads a session and keeps others from changing it, and its tokens, until the transaction ends. */
export async function lockSession(tx: Transaction, id: string): Promise<Session | undefined> {
  const [row] = await tx.query(`${SELECT_SESSION} where s.id = $1 for update of s`, [id]);
  return row && sessionSchema.parse(row);
}

// The setting is made where the row is looked for, before it is locked: a statement less for every refresh.
const LOCK_BY_TOKEN = `${SELECT_SESSION}
  where s.id = (select session_id from auth.refresh_tokens where token = $1) and set_config('lock_timeout', '5s', true) is not null
  for update of s`;

/** Locks the session of a refresh token as `lockSession` does, but waits no longer than five seconds (55P03). */
export async function lockSessionOfToken(tx: Transaction, token: string): Promise<Session | undefined> {
  const [row] = await tx.query(LOCK_BY_TOKEN, [token]);
  return row && sessionSchema.parse(row);
}

const OPEN = `with session as (
    insert into auth.sessions (id, user_id, created_at, updated_at, aal, ip, user_agent)
    values ($1, $2, now(), now(), 'aal1', $3::text::inet, $4)
  ), claim as (
    insert into auth.mfa_amr_claims (id, session_id, created_at, updated_at, authentication_method)
    values (gen_random_uuid(), $1, now(), now(), $5)
  ), token as (
    insert into auth.refresh_tokens (instance_id, user_id, token, revoked, created_at, updated_at, session_id)
    values ($6, $2::text, $7, false, now(), now(), $1)
  )
  update auth.users set last_sign_in_at = now(), updated_at = now() where id = $2`;

/** Opens a session for an account whose right to one has been proven by `method`. */
export async function openSession(tx: Transaction, call: Call, userId: string, method: AuthenticationMethod): Promise<Grant> {
  const id = crypto.randomUUID();
  const refreshToken = newRefreshToken();
  const [, session, user] = await Promise.all([
    tx.query(OPEN, [id, userId, ipAddress(call.address), userAgent(call.request), method, INSTANCE, refreshToken]),
    findSession(tx, id),
    findUserById(tx, userId),
  ]);
  if (!session || !user) throw new Error("A session vanished inside the transaction that opened it");
  return { user, session, refreshToken };
}

/** Ends sessions of an account and with them their access and refresh tokens: all, or all but or only `session`. */
export async function endSessions(tx: Transaction, userId: string, only?: { is: string } | { not: string }): Promise<void> {
  if (!only) await tx.query("delete from auth.sessions where user_id = $1", [userId]);
  else if ("is" in only) await tx.query("delete from auth.sessions where user_id = $1 and id = $2", [userId, only.is]);
  else await tx.query("delete from auth.sessions where user_id = $1 and id <> $2", [userId, only.not]);
}

/** Ends what the old password vouched for: every session but `keep`, and one-time tokens still in a mailbox. */
export async function endOldProofs(tx: Transaction, userId: string, keep?: string): Promise<void> {
  await endSessions(tx, userId, keep === undefined ? undefined : { not: keep });
  await tx.query("delete from auth.one_time_tokens where user_id = $1", [userId]);
}

const ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789";

/** Makes a refresh token: 62 random bits in the alphabet clients know. */
export function newRefreshToken(): string {
  return Array.from({ length: 12 }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
}

/** A client's description of itself, as much of it as is kept. */
export function userAgent(request: Request): string {
  return (request.headers.get("user-agent") ?? "").slice(0, 255);
}
