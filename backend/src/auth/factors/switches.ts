import type { AuthContext } from "../context.ts";
import { AuthError } from "../errors.ts";
import type { Factor } from "./factor-of-path.ts";

const NAMES: Readonly<Record<Factor["factor_type"], string>> = { totp: "TOTP", phone: "Phone", webauthn: "WebAuthn" };

/** Refuses a kind of factor that config.toml does not let people enrol. Fails with a 422. */
export function requireEnrollable(auth: AuthContext, type: Factor["factor_type"]): void {
  if (type !== "webauthn" && auth.settings.mfa[type].enroll_enabled && isPossible(auth, type)) return;
  throw new AuthError(422, `mfa_${type}_enroll_not_enabled`, `MFA enroll is disabled for ${NAMES[type]}`);
}

/** Refuses a kind of factor that config.toml does not let people sign in with. Fails with a 422. */
export function requireVerifiable(auth: AuthContext, type: Factor["factor_type"]): void {
  if (type !== "webauthn" && auth.settings.mfa[type].verify_enabled && isPossible(auth, type)) return;
  throw new AuthError(422, `mfa_${type}_verify_not_enabled`, `MFA verification is disabled for ${NAMES[type]}`);
}

/** A code by SMS needs somebody to send it. */
function isPossible({ sms }: AuthContext, type: Factor["factor_type"]): boolean {
  return type !== "phone" || sms !== null;
}
