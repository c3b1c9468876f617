import type { Transaction } from "../../db/database.ts";
import type { Caller } from "../bearer.ts";
import { audit } from "../audit.ts";
import type { AuthContext, Call } from "../context.ts";
import { AuthError } from "../errors.ts";
import { countFailure, countSuccess, refuseGuess } from "../guesses.ts";
import { limitCodeGuess, limitTransaction } from "../limits.ts";
import { spendToken } from "../codes/one-time-tokens.ts";
import type { Session } from "../tokens/sessions.ts";
import { addressOf } from "./addresses.ts";
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
  call: Call,
  { user, session }: Caller,
  given: { password: string; current: string; nonce: string },
): Promise<PasswordChange> {
  const { auth } = call;
  const { secure_password_change: secure, require_current_password: asksForCurrent } = auth.settings.email;
  const old = user.encrypted_password;
  const needsNonce = secure && (!session || session.age > FRESH_SECONDS);
  if (needsNonce && given.nonce === "") throw new AuthError(400, "reauthentication_needed", "Password update requires reauthentication");
  if (old && asksForCurrent && !isRecovery(session)) {
    if (given.current === "") throw new AuthError(400, "current_password_required", "Current password required when setting new password.");
    await requireCurrent(call, user, given.current);
  }
  if (needsNonce) await limitCodeGuess(auth, user.id);
  if (old && (await auth.passwords.verify(old, given.password)))
    throw new AuthError(422, "same_password", "New password should be different from the old password.");
  return { hash: await auth.passwords.hash(given.password), nonce: needsNonce ? given.nonce : undefined };
}

/** Verifies the current password; a guess at it counts as in a sign-in (decision 031). Fails with a 400 or 429. */
async function requireCurrent(call: Call, user: User, current: string): Promise<void> {
  const { auth } = call;
  const guessed = { password: addressOf(user) };
  const delayed = await limitTransaction(auth, (tx) => refuseGuess(tx, call, guessed));
  if (delayed) throw delayed;
  const matches = await auth.passwords.verify(user.encrypted_password, current);
  const refusal = new AuthError(400, "current_password_invalid", "Current password is not valid");
  await auth.database.transaction(async (tx) => {
    if (matches) return countSuccess(tx, call, guessed);
    await audit(tx, call, "login_failed", user, { reason: refusal.code });
    await countFailure(tx, call, guessed, user.email_confirmed_at ? user : undefined);
  });
  if (!matches) throw refusal;
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
    { address: addressOf(user).value, otp: nonce },
    { types: ["reauthentication_token"], lifetimeSeconds, userId: user.id },
  );
  if (!spent) throw new AuthError(422, "reauthentication_not_valid", "Nonce has expired or is invalid");
}
