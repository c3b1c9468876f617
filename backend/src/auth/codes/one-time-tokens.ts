import { randomInt } from "node:crypto";
import type { Row, Transaction } from "../../db/database.ts";
import type { AuthContext } from "../context.ts";

/** The columns of `auth.users` with the time of the last message, by token type; an account has at most one token of each type. */
const SENT_AT = {
  confirmation_token: "confirmation_sent_at",
  reauthentication_token: "reauthentication_sent_at",
  recovery_token: "recovery_sent_at",
  email_change_token_new: "email_change_sent_at",
  email_change_token_current: "email_change_sent_at",
  phone_change_token: "phone_change_sent_at",
} as const;

/** The token types of `auth.one_time_tokens`. */
export type TokenType = keyof typeof SENT_AT;

/** A code, and its hash, which is stored and is part of links (decision 021). */
export interface IssuedToken {
  otp: string;
  hash: string;
}

/** Prefix of the hash of a token that belongs to a PKCE flow. */
export const PKCE_PREFIX = "pkce_";

/** Creates a code of `length` digits with leading zeros. */
export function newOtp(length: number): string {
  return String(randomInt(10 ** length)).padStart(length, "0");
}

/**
 * Returns the hash of a code, which is stored and is part of links; `address` received the code. The hash is keyed: with the
 * unkeyed hash of hosted projects, guessed codes could be tried as links, which no limit per address counts.
 */
export function hashToken({ jwt }: Keys, address: string, otp: string): string {
  return jwt.seal(`${address} ${otp}`);
}

type Keys = Pick<AuthContext, "jwt">;

// In UTC without time zone, as in hosted projects.
const REPLACE = `insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to, created_at, updated_at)
  values (gen_random_uuid(), $1, $2::text::auth.one_time_token_type, $3, $4, now() at time zone 'utc', now() at time zone 'utc')
  on conflict (user_id, token_type) do update set id = excluded.id, token_hash = excluded.token_hash, relates_to = excluded.relates_to,
    created_at = excluded.created_at, updated_at = excluded.updated_at`;

/**
 * Stores a token of an account, which is about to be sent, and replaces an earlier one of its type; generates the code unless
 * `otp` is given.
 */
export async function issueToken(
  tx: Transaction,
  keys: Keys,
  token: { userId: string; type: TokenType; address: string; otpLength: number; otp?: string | undefined; pkce?: boolean },
): Promise<IssuedToken> {
  const otp = token.otp ?? newOtp(token.otpLength);
  const hash = `${token.pkce ? PKCE_PREFIX : ""}${hashToken(keys, token.address, otp)}`;
  await tx.query(REPLACE, [token.userId, token.type, hash, token.address]);
  await tx.query(`update auth.users set ${SENT_AT[token.type]} = now(), updated_at = now() where id = $1`, [token.userId]);
  return { otp, hash };
}

/** A token that was just used; its row is deleted. */
export interface SpentToken extends Row {
  user_id: string;
  token_type: TokenType;
  /** The address that the code was sent to. */
  relates_to: string;
  fresh: boolean;
}

const SPEND = `delete from auth.one_time_tokens where id = (
    select id from auth.one_time_tokens where token_hash in ($1, $2)
      and token_type = any (string_to_array($3, ',')::auth.one_time_token_type[]) and ($5::text is null or user_id = $5::text::uuid)
    order by created_at desc limit 1 for update)
  returning user_id, token_type::text, relates_to, created_at + $4::float8 * interval '1 second' > now() at time zone 'utc' as fresh`;

/** Identifies a token by its hash, or by a code and the address it was sent to. */
export type TokenName = { hash: string } | { address: string; otp: string };

/** Uses up a token; undefined if none of the types exists or if it is older than `lifetimeSeconds`. */
export async function spendToken(
  tx: Transaction,
  keys: Keys,
  name: TokenName,
  wanted: { types: readonly TokenType[]; lifetimeSeconds: number; userId?: string },
): Promise<SpentToken | undefined> {
  const hash = "hash" in name ? name.hash : hashToken(keys, name.address, name.otp);
  // A code is valid with and without a PKCE flow; a link contains the prefix.
  const other = "hash" in name ? hash : `${PKCE_PREFIX}${hash}`;
  const [row] = await tx.query<SpentToken>(SPEND, [hash, other, wanted.types.join(","), wanted.lifetimeSeconds, wanted.userId ?? null]);
  return row?.fresh ? row : undefined;
}
