import type { Transaction } from "../../db/database.ts";
import type { User } from "../accounts/users.ts";
import { uuidOfPath, type AuthContext, type Call } from "../context.ts";
import { AuthError } from "../errors.ts";

/** A second factor of an account. */
export type Factor = User["factors"][number];

const ENROLLMENT_LIFETIME_MS = 300_000;

/** Finds the factor that the path names among the factors of an account. Fails with a 404. */
export function factorOfPath(call: Call, factors: readonly Factor[]): Factor {
  const id = uuidOfPath(call, "factor", "factor_id");
  const factor = factors.find((candidate) => candidate.id === id);
  if (!factor) throw factorNotFound();
  return factor;
}

function factorNotFound(): AuthError {
  return new AuthError(404, "mfa_factor_not_found", "Factor not found");
}

/** Returns true for an enrolment that was not finished in time. It can only be removed; the next enrolment does that. */
export function isAbandoned({ status, created_at: createdAt }: Factor): boolean {
  return status === "unverified" && createdAt.getTime() + ENROLLMENT_LIFETIME_MS < Date.now();
}

const NAMES: Readonly<Record<Factor["factor_type"], string>> = { totp: "TOTP", phone: "Phone", webauthn: "WebAuthn" };

/** Fails with a 422 unless config.toml allows the enrolment of a factor type. */
export function requireEnrollable(auth: AuthContext, type: Factor["factor_type"]): void {
  if (type !== "webauthn" && auth.settings.mfa[type].enroll_enabled && isAvailable(auth, type)) return;
  throw new AuthError(422, `mfa_${type}_enroll_not_enabled`, `MFA enroll is disabled for ${NAMES[type]}`);
}

/** Fails with a 404 for an abandoned enrolment, and with a 422 unless config.toml allows a sign-in with the type of a factor. */
export function requireVerifiable(auth: AuthContext, factor: Factor): void {
  if (isAbandoned(factor)) throw factorNotFound();
  const type = factor.factor_type;
  if (type !== "webauthn" && auth.settings.mfa[type].verify_enabled && isAvailable(auth, type)) return;
  throw new AuthError(422, `mfa_${type}_verify_not_enabled`, `MFA verification is disabled for ${NAMES[type]}`);
}

function isAvailable({ sms }: AuthContext, type: Factor["factor_type"]): boolean {
  return type !== "phone" || sms !== null;
}

const REMOVE = `with lowered as (
    update auth.sessions set aal = 'aal1', factor_id = null, updated_at = now() where factor_id = $1 returning id
  ), claims as (
    delete from auth.mfa_amr_claims c using lowered
    where c.session_id = lowered.id and c.authentication_method in ('totp', 'mfa/phone', 'mfa/webauthn')
  )
  delete from auth.mfa_factors where id = $1`;

/** Removes a factor; the sessions that it raised fall back to aal1. */
export async function removeFactor(tx: Transaction, factorId: string): Promise<void> {
  await tx.query(REMOVE, [factorId]);
}
