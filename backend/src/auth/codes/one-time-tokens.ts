import { randomInt } from "node:crypto";
import { z } from "zod";
import type { Transaction } from "../../db/database.ts";
import type { AuthContext } from "../context.ts";

/** What a token proves, as `auth.one_time_tokens` has it; an account holds at most one of each. */
export type TokenType =
  | "confirmation_token"
  | "reauthentication_token"
  | "recovery_token"
  | "email_change_token_new"
  | "email_change_token_current"
  | "phone_change_token";

/** A code for people, and the hash that is stored and that links carry. */
export interface IssuedToken {
  otp: string;
  hash: string;
}

/** Marks the hash of a token that leads into a PKCE flow. */
export const PKCE_PREFIX = "pkce_";

/** Makes a code of `length` digits, zeros in front kept. */
export function newOtp(length: number): string {
  return String(randomInt(10 ** length)).padStart(length, "0");
}

/**
 * The hash a code is stored by and a link carries; `address` is the mailbox or number it was sent to. A hosted project's has
 * no key: there a guess at a code can be turned into the hash of a link, and is then counted against no address.
 */
export function hashToken({ jwt }: Keys, address: string, otp: string): string {
  return jwt.seal(`${address} ${otp}`);
}

type Keys = Pick<AuthContext, "jwt">;

// Hosted projects keep these times without a zone, in UTC.
const REPLACE = `insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to, created_at, updated_at)
  values (gen_random_uuid(), $1, $2::text::auth.one_time_token_type, $3, $4, now() at time zone 'utc', now() at time zone 'utc')
  on conflict (user_id, token_type) do update set id = excluded.id, token_hash = excluded.token_hash, relates_to = excluded.relates_to,
    created_at = excluded.created_at, updated_at = excluded.updated_at`;

/** Stores a token for an account in place of any it held of that type; `otp` is made unless it is given. */
export async function issueToken(
  tx: Transaction,
  keys: Keys,
  token: { userId: string; type: TokenType; address: string; otpLength: number; otp?: string | undefined; pkce?: boolean },
): Promise<IssuedToken> {
  const otp = token.otp ?? newOtp(token.otpLength);
  const hash = `${token.pkce ? PKCE_PREFIX : ""}${hashToken(keys, token.address, otp)}`;
  await tx.query(REPLACE, [token.userId, token.type, hash, token.address]);
  return { otp, hash };
}

const spentSchema = z.object({
  user_id: z.string(),
  token_type: z.enum([
    "confirmation_token",
    "reauthentication_token",
    "recovery_token",
    "email_change_token_new",
    "email_change_token_current",
    "phone_change_token",
  ]),
  /** The mailbox or number it was sent to. */
  relates_to: z.string(),
  fresh: z.boolean(),
});

/** A token that has just been used, and is no more. */
export type SpentToken = z.infer<typeof spentSchema>;

const SPEND = `delete from auth.one_time_tokens where id = (
    select id from auth.one_time_tokens where token_hash in ($1, $2)
      and token_type = any (string_to_array($3, ',')::auth.one_time_token_type[]) and ($5::text is null or user_id = $5::text::uuid)
    order by created_at desc limit 1 for update)
  returning user_id, token_type::text, relates_to, created_at + $4::float8 * interval '1 second' > now() at time zone 'utc' as fresh`;

/** What names a token: the hash itself, as links carry it, or a code and the address it was sent to. */
export type TokenName = { hash: string } | { address: string; otp: string };

/** Uses up a token; undefined where there is none of the types, or only one older than `lifetimeSeconds`. */
export async function spendToken(
  tx: Transaction,
  keys: Keys,
  name: TokenName,
  wanted: { types: readonly TokenType[]; lifetimeSeconds: number; userId?: string },
): Promise<SpentToken | undefined> {
  const hash = "hash" in name ? name.hash : hashToken(keys, name.address, name.otp);
  // A code is stored the same with or without a PKCE flow; only the link must say which.
  const other = "hash" in name ? hash : `${PKCE_PREFIX}${hash}`;
  const [row] = await tx.query(SPEND, [hash, other, wanted.types.join(","), wanted.lifetimeSeconds, wanted.userId ?? null]);
  const spent = row && spentSchema.parse(row);
  return spent?.fresh ? spent : undefined;
}
