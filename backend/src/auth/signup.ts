import { z } from "zod";
import { requireEmail } from "./addresses.ts";
import { audit } from "./audit.ts";
import { metadata, readBody, text } from "./body.ts";
import type { Call } from "./context.ts";
import { AuthError, validationFailed } from "./errors.ts";
import { requireStrongPassword } from "./password-policy.ts";
import { limitRate } from "./rate-limits.ts";
import { openSession, type AuthenticationMethod } from "./sessions.ts";
import { tokenResponse } from "./token-response.ts";
import { insertUser, type NewUser } from "./user-changes.ts";

const bodySchema = z.object({ email: text, phone: text, password: text, data: metadata });

/** `POST signup`: an account by e-mail and password, or an anonymous one, as far as config.toml allows. */
export async function signup(call: Call): Promise<Response> {
  const { settings } = call.auth;
  const { email, phone, password, data } = await readBody(call.request, bodySchema);
  const anonymous = email === "" && phone === "";
  if (anonymous && !settings.enable_anonymous_sign_ins)
    throw new AuthError(422, "anonymous_provider_disabled", "Anonymous sign-ins are disabled");
  if (!settings.enable_signup) throw new AuthError(422, "signup_disabled", "Signups not allowed for this instance");
  if (anonymous) return signUpAnonymously(call, data);
  if (password === "") throw validationFailed("Signup requires a valid password");
  if (email !== "" && phone !== "") throw validationFailed("Only an email address or phone number should be provided on signup.");
  if (phone !== "") throw new AuthError(400, "phone_provider_disabled", "Phone signups are disabled");
  // An address that must be confirmed needs mail, and none is sent yet.
  if (!settings.email.enable_signup || settings.email.enable_confirmations)
    throw new AuthError(400, "email_provider_disabled", "Email signups are disabled");
  return signUpByEmail(call, { email: requireEmail(email), password, data });
}

async function signUpByEmail(
  call: Call,
  { email, password, data }: { email: string; password: string; data: Record<string, unknown> | undefined },
): Promise<Response> {
  requireStrongPassword(password, call.auth.settings);
  const id = crypto.randomUUID();
  // Hosted projects repeat the identity's data in the account's.
  const userMetadata = { ...data, sub: id, email, email_verified: true, phone_verified: false };
  const passwordHash = await call.auth.passwords.hash(password);
  return open(call, { id, email, passwordHash, emailConfirmed: true, userMetadata, identityData: data }, "password");
}

async function signUpAnonymously(call: Call, data: Record<string, unknown> | undefined): Promise<Response> {
  await limitRate(call, "anonymous");
  return open(call, { passwordHash: null, userMetadata: data, isAnonymous: true }, "anonymous");
}

async function open(call: Call, account: NewUser, method: AuthenticationMethod): Promise<Response> {
  const grant = await call.auth.database.transaction(async (tx) => {
    const user = await insertUser(tx, account).catch((error: unknown) => {
      if (error instanceof AuthError && error.code === "email_exists")
        throw new AuthError(422, "user_already_exists", "User already registered");
      throw error;
    });
    await audit(tx, call, "user_signedup", user);
    return openSession(tx, call, user.id, method);
  });
  return tokenResponse(call.auth, grant);
}
