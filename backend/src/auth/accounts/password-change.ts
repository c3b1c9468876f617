import type { Transaction } from "../../db/database.ts";
import type { Caller } from "../bearer.ts";
import type { AuthContext } from "../context.ts";
import { AuthError } from "../errors.ts";
import { limitGuesses } from "../limits.ts";
import { spendToken } from "../codes/one-time-tokens.ts";
import type { Session } from "../tokens/sessions.ts";
import type { User } from "./users.ts";

/** An accepted new password. */
export interface PasswordChange {
  hash: string;
  /** The reauthentication code that must be used up with the change. */
  nonce: string | undefined;
}

const FRESH_SECONDS = 86_400;

/** Checks the requirements of the project for a new password and hashes it. Fails with an `AuthError`. */
export async function preparePassword(
  auth: AuthContext,
  { user, session }: Caller,
  given: { password: string; current: string; nonce: string },
): Promise<PasswordChange> {
  const { secure_password_change: secure, require_current_password: asksForCurrent } = auth.settings.email;
  const old = user.encrypted_password;
  const needsNonce = secure && (!session || session.age > FRESH_SECONDS);
  if (needsNonce && given.nonce === "") throw new AuthError(400, "reauthentication_needed", "Password update requires reauthentication");
  if (old && asksForCurrent && !isRecovery(session)) {
    if (given.current === "") throw new AuthError(400, "current_password_required", "Current password required when setting new password.");
    if (!(await auth.passwords.verify(old, given.current)))
      throw new AuthError(400, "current_password_invalid", "Current password is not valid");
  }
  if (needsNonce) await limitGuesses(auth, addressOf(user));
  if (old && (await auth.passwords.verify(old, given.password)))
    throw new AuthError(422, "same_password", "New password should be different from the old password.");
  return { hash: await auth.passwords.hash(given.password), nonce: needsNonce ? given.nonce : undefined };
}

// As in GoTrue: the owner of a mailed link or code may have forgotten the password.
const RECOVERY_METHODS = new Set(["otp", "magiclink", "recovery"]);

function isRecovery(session: Session | undefined): boolean {
  return session?.amr.some(({ method }) => RECOVERY_METHODS.has(method)) ?? false;
}

/** Uses up the reauthentication code of a password change. Fails with a 422. */
export async function spendNonce(tx: Transaction, auth: AuthContext, user: User, nonce: string): Promise<void> {
  const { otp_expiry: lifetimeSeconds } = auth.settings[user.email ? "email" : "sms"];
  const spent = await spendToken(
    tx,
    auth,
    { address: addressOf(user), otp: nonce },
    { types: ["reauthentication_token"], lifetimeSeconds, userId: user.id },
  );
  if (!spent) throw new AuthError(422, "reauthentication_not_valid", "Nonce has expired or is invalid");
}

function addressOf(user: User): string {
  return user.email || user.phone || "";
}
