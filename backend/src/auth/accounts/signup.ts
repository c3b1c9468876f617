import { z } from "zod";
import { requireEmail, requirePhone } from "./addresses.ts";
import { audit } from "../audit.ts";
import { metadata, text } from "../body-fields.ts";
import { readJson } from "../../read-json.ts";
import type { Call } from "../context.ts";
import { AuthError, validationFailed } from "../errors.ts";
import { challengeFields, readChallenge } from "../codes/flow-state.ts";
import { requireStrongPassword } from "./password-policy.ts";
import { phoneEnabled, requireChannel } from "../codes/phone-codes.ts";
import { limitRequest } from "../limits.ts";
import { type AuthenticationMethod, openSession } from "../tokens/sessions.ts";
import { confirmByMail, confirmByPhone } from "./signup-confirmation.ts";
import { tokenResponse } from "../tokens/token-response.ts";
import { insertUser, type NewUser } from "./user-changes.ts";

const bodySchema = z.object({ email: text, phone: text, password: text, data: metadata, channel: text, ...challengeFields });

type Body = z.infer<typeof bodySchema>;

/** `POST signup`: an account by e-mail or phone and password, or an anonymous one, as far as config.toml allows. */
export async function signup(call: Call): Promise<Response> {
  const { settings } = call.auth;
  const body = await readJson(call.request, bodySchema);
  const { email, phone, password } = body;
  const anonymous = email === "" && phone === "";
  if (anonymous && !settings.enable_anonymous_sign_ins)
    throw new AuthError(422, "anonymous_provider_disabled", "Anonymous sign-ins are disabled");
  if (!settings.enable_signup) throw new AuthError(422, "signup_disabled", "Signups not allowed for this instance");
  if (anonymous) return signUpAnonymously(call, body);
  if (password === "") throw validationFailed("Signup requires a valid password");
  if (email !== "" && phone !== "") throw validationFailed("Only an email address or phone number should be provided on signup.");
  return email === "" ? signUpByPhone(call, body) : signUpByEmail(call, body);
}

async function signUpByEmail(call: Call, body: Body): Promise<Response> {
  const { auth } = call;
  const { password, data } = body;
  if (!auth.settings.email.enable_signup) throw new AuthError(400, "email_provider_disabled", "Email signups are disabled");
  const email = requireEmail(body.email);
  const challenge = readChallenge(body);
  requireStrongPassword(password, auth.settings);
  const emailConfirmed = !auth.settings.email.enable_confirmations;
  const id = crypto.randomUUID();
  // Hosted projects repeat the identity's data in the account's.
  const userMetadata = { ...data, sub: id, email, email_verified: emailConfirmed, phone_verified: false };
  const passwordHash = await auth.passwords.hash(password);
  const account = { id, email, passwordHash, emailConfirmed, userMetadata, identityData: data };
  return emailConfirmed ? open(call, account, "password") : confirmByMail(call, account, challenge);
}

async function signUpByPhone(call: Call, body: Body): Promise<Response> {
  const { auth } = call;
  const { password, data } = body;
  if (!phoneEnabled(auth)) throw new AuthError(400, "phone_provider_disabled", "Phone signups are disabled");
  const phone = requirePhone(body.phone);
  requireChannel(body.channel);
  if (readChallenge(body)) throw validationFailed("PKCE not supported for phone signups");
  requireStrongPassword(password, auth.settings);
  const phoneConfirmed = !auth.settings.sms.enable_confirmations;
  const id = crypto.randomUUID();
  const userMetadata = { ...data, sub: id, phone, email_verified: false, phone_verified: phoneConfirmed };
  const passwordHash = await auth.passwords.hash(password);
  const account = { id, phone, passwordHash, phoneConfirmed, userMetadata, identityData: data };
  return phoneConfirmed ? open(call, account, "password") : confirmByPhone(call, account);
}

async function signUpAnonymously(call: Call, { data }: Body): Promise<Response> {
  await limitRequest(call, "anonymous");
  return open(call, { passwordHash: null, userMetadata: data, isAnonymous: true }, "anonymous");
}

async function open(call: Call, account: NewUser, method: AuthenticationMethod): Promise<Response> {
  const grant = await call.auth.database.transaction(async (tx) => {
    const user = await insertUser(tx, account).catch((error: unknown) => {
      if (error instanceof AuthError && TAKEN.has(error.code)) throw new AuthError(422, "user_already_exists", "User already registered");
      throw error;
    });
    await audit(tx, call, "user_signedup", user);
    return openSession(tx, call, user.id, method);
  });
  return tokenResponse(call.auth, grant);
}

const TAKEN = new Set(["email_exists", "phone_exists"]);
