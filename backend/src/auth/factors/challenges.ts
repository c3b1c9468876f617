import type { Transaction } from "../../db/database.ts";
import { ipAddress } from "../../client-network.ts";
import { uuid } from "../../uuid.ts";
import type { Call } from "../context.ts";
import { AuthError } from "../errors.ts";

const LIFETIME_SECONDS = 300;

/** Longer than the lifetime of a challenge and its code, so that a code cannot be replayed after its row is deleted. */
const RETENTION_SECONDS = 900;

const OPEN = `with old as (
    delete from auth.mfa_challenges where factor_id = $2 and created_at < now() - $4::float8 * interval '1 second'
  ), challenged as (
    update auth.mfa_factors set last_challenged_at = clock_timestamp() where id = $2
  )
  insert into auth.mfa_challenges (id, factor_id, created_at, ip_address, otp_code) values ($1, $2, now(), $3::text::inet, $6)
  returning floor(extract(epoch from created_at))::float8 + $5::float8 as expires_at`;

/** An open challenge. */
export interface Challenge {
  id: string;
  /** Unix time in seconds. */
  expiresAt: number;
}

/** Opens a challenge for the address of the caller; `codeHash` belongs to the code that was sent, null for TOTP. */
export async function openChallenge(tx: Transaction, call: Call, factorId: string, codeHash: string | null): Promise<Challenge> {
  const id = crypto.randomUUID();
  const values = [id, factorId, addressOf(call), RETENTION_SECONDS, LIFETIME_SECONDS, codeHash];
  const [row] = await tx.query<{ expires_at: number }>(OPEN, values);
  if (!row) throw new Error("The challenge was not stored");
  return { id, expiresAt: row.expires_at };
}

const FIND = `select verified_at is null and ip_address = $3::text::inet as usable,
    created_at < now() - $4::float8 * interval '1 second' as expired
  from auth.mfa_challenges where id = $1 and factor_id = $2`;

/** Fails with a 422 if a challenge belongs to another factor or address, was answered or is expired. */
export async function requireChallenge(tx: Transaction, call: Call, factorId: string, given: string): Promise<void> {
  const id = uuid.safeParse(given);
  const [found] = id.success
    ? await tx.query<{ usable: boolean; expired: boolean }>(FIND, [id.data, factorId, addressOf(call), LIFETIME_SECONDS])
    : [];
  if (!found) throw new AuthError(422, "mfa_factor_not_found", "MFA factor with the provided challenge ID not found");
  if (!found.usable) throw new AuthError(422, "mfa_ip_address_mismatch", "Challenge and verify IP addresses mismatch.");
  if (found.expired)
    throw new AuthError(
      422,
      "mfa_challenge_expired",
      `MFA challenge ${given} has expired, verify against another challenge or create a new challenge.`,
    );
}

// A hosted project leaves otp_code empty for TOTP; here it is the time step of the spent code.
const SPEND = `update auth.mfa_challenges set verified_at = now(), otp_code = $3
  where id = $1 and not exists (
    select from auth.mfa_challenges where factor_id = $2 and verified_at is not null and otp_code::bigint >= $3::bigint)
  returning id`;

/** Answers a challenge with the code of a time step; returns false if it or a later one was used before (RFC 6238 §5.2). */
export async function spendStep(tx: Transaction, challengeId: string, factorId: string, step: number): Promise<boolean> {
  return (await tx.query(SPEND, [challengeId, factorId, String(step)])).length > 0;
}

const SPEND_SENT = "update auth.mfa_challenges set verified_at = now() where id = $1 and factor_id = $2 and otp_code = $3 returning id";

/** Answers a challenge with the code that was sent; returns false for a wrong code. */
export async function spendSentCode(tx: Transaction, challengeId: string, factorId: string, codeHash: string): Promise<boolean> {
  return (await tx.query(SPEND_SENT, [challengeId, factorId, codeHash])).length > 0;
}

/** Clients inside this process have no network address and use the unspecified one. */
function addressOf({ address }: Call): string {
  return ipAddress(address) ?? "0.0.0.0";
}
