import { z } from "zod";
import type { Transaction } from "../../db/database.ts";
import { type Address, columnsOf, storedPhone } from "../accounts/addresses.ts";
import { audit } from "../audit.ts";
import { readJson } from "../../body/read-json.ts";
import { text } from "../body-fields.ts";
import type { Call } from "../context.ts";
import { AuthError, invalidCredentials, validationFailed } from "../errors.ts";
import { countFailure, readDelay, refuseGuess } from "../guesses.ts";
import { limitTransaction, type CountedTransaction } from "../limits.ts";
import { weaknessOf } from "../accounts/password-policy.ts";
import { phoneEnabled } from "../codes/send-code.ts";
import { type Grant, signIn } from "./sessions.ts";
import { tokenResponse } from "./token-response.ts";
import { isBanned, lockUser, type User } from "../accounts/users.ts";

const bodySchema = z.object({ email: text, phone: text, password: text });

/** `POST token?grant_type=password`. An unknown address and a wrong password take the same time. */
export async function passwordGrant(call: Call, counted: CountedTransaction): Promise<Response> {
  const { auth } = call;
  const { email, phone, password } = await readJson(call.request, bodySchema);
  if (email !== "" && phone !== "") throw validationFailed("Only an email address or phone number should be provided on login.");
  if (email === "" && phone === "") throw validationFailed("missing email or phone");
  const address: Address =
    email !== "" ? { channel: "email", value: email.toLowerCase() } : { channel: "phone", value: storedPhone(phone) };
  const [label, enabled] = email !== "" ? ["Email", auth.settings.email.enable_signup] : ["Phone", phoneEnabled(auth)];
  if (!enabled) throw new AuthError(422, `${address.channel}_provider_disabled`, `${label} logins are disabled`);

  const guessed = { password: address };
  // Without a write, so that refused guesses from many networks slow nobody else down.
  const early = await limitTransaction(auth, (tx) => readDelay(tx, call, guessed), { readOnly: true });
  if (early) throw early;
  const [delayed, found] = await counted((tx) => Promise.all([refuseGuess(tx, call, guessed), findCredentials(tx, address)]), {
    isSynced: false,
  });
  if (delayed) throw delayed;
  if (found?.banned) throw await refused(call, found, new AuthError(400, "user_banned", "User is banned"), address);
  const matches = await auth.passwords.verify(found?.encrypted_password ?? null, password);
  if (!found || !matches) throw await refused(call, found, invalidCredentials(), address);
  if (!found[`${address.channel}_confirmed`])
    throw await refused(call, found, new AuthError(400, `${address.channel}_not_confirmed`, `${label} not confirmed`));

  const grant = await finish(call, found, password);
  return tokenResponse(auth, grant, { weak_password: weaknessOf(password, auth.settings) });
}

interface Credentials extends Pick<User, "id" | "email" | "phone" | "is_sso_user" | "encrypted_password"> {
  banned: boolean;
  email_confirmed: boolean;
  phone_confirmed: boolean;
}

// Reads only the compared columns: reading a whole account would take longer than finding none. Single sign-on accounts
// have no password.
const FIND = `select id, email, phone, is_sso_user, encrypted_password, coalesce(banned_until > now(), false) as banned,
    email_confirmed_at is not null as email_confirmed, phone_confirmed_at is not null as phone_confirmed
  from auth.users where (email = $1 or phone = $2) and not is_sso_user`;

async function findCredentials(tx: Transaction, address: Address): Promise<Credentials | undefined> {
  const { email, phone } = columnsOf(address);
  const [row] = await tx.query<Credentials & Record<string, unknown>>(FIND, [email ?? null, phone ?? null]);
  return row;
}

/** Records a failed sign-in with its reason and returns the error; counts a guess at the password of `guessed`. */
async function refused(call: Call, who: Credentials | undefined, refusal: AuthError, guessed?: Address): Promise<AuthError> {
  await call.auth.database.transaction(async (tx) => {
    await audit(tx, call, "login_failed", who ?? "unknown", { reason: refusal.code });
    if (guessed) await countFailure(tx, call, { password: guessed }, who?.email_confirmed && !who.banned ? who : undefined);
  });
  return refusal;
}

/** Opens the session; a hash with old parameters is replaced. */
async function finish(call: Call, verified: Credentials, password: string): Promise<Grant> {
  const { database, passwords } = call.auth;
  const stored = verified.encrypted_password;
  const rehashed = stored === null || passwords.isCurrent(stored) ? undefined : await passwords.hash(password);
  const outcome = await database.transaction(async (tx) => {
    const user = await lockUser(tx, verified.id);
    // A ban may have started while the password was verified.
    if (!user || isBanned(user)) throw invalidCredentials();
    if (user.encrypted_password !== stored) return { changed: user.encrypted_password };
    if (rehashed !== undefined) await tx.query("update auth.users set encrypted_password = $2 where id = $1", [user.id, rehashed]);
    return signIn(tx, call, user.id, "password");
  });
  if (!("changed" in outcome)) return outcome;
  // The password may have changed, or a concurrent sign-in may have replaced its hash.
  if (!(await passwords.verify(outcome.changed, password))) throw await refused(call, verified, invalidCredentials());
  return finish(call, { ...verified, encrypted_password: outcome.changed }, password);
}
