import { z } from "zod";
import { addressFields, readAddress } from "../accounts/address-body.ts";
import { audit } from "../audit.ts";
import { metadata, text } from "../body-fields.ts";
import { readJson } from "../../read-json.ts";
import type { Call } from "../context.ts";
import { AuthError, validationFailed } from "../errors.ts";
import { withMinimumDuration } from "../minimum-duration.ts";
import { challengeFields, type CodeChallenge, readChallenge } from "./flow-state.ts";
import { mailLink } from "./links.ts";
import { limitMessage } from "../limits.ts";
import { issuePhoneCode, phoneEnabled, requireChannel, sendPhoneCode } from "./phone-codes.ts";
import { redirectTarget } from "../redirect-allow-list.ts";
import { json } from "../responses.ts";
import { insertUser } from "../accounts/user-changes.ts";
import { findUserByEmail, findUserByPhone } from "../accounts/users.ts";

const bodySchema = z.object({
  ...addressFields,
  create_user: z
    .boolean()
    .nullish()
    .transform((create) => create ?? true),
  data: metadata,
  channel: text,
  ...challengeFields,
});

interface Wish {
  createUser: boolean;
  data: Record<string, unknown> | undefined;
  challenge: CodeChallenge | undefined;
}

/** `POST otp`: sends a code or link to sign in with, to a new account too unless `create_user` is false. */
export async function otp(call: Call): Promise<Response> {
  const { auth } = call;
  const body = await readJson(call.request, bodySchema);
  const challenge = readChallenge(body);
  if (body.email !== "" && body.channel !== "") throw validationFailed("Channel should only be specified with Phone OTP");
  const address = readAddress(body, {
    none: "One of email or phone must be set",
    both: "Only an email address or phone number should be provided",
  });
  const wish: Wish = { createUser: body.create_user, data: body.data, challenge };
  if (address.email !== undefined) {
    if (!auth.settings.email.enable_signup) throw new AuthError(422, "email_provider_disabled", "Email logins are disabled");
    await withMinimumDuration(() => mailOtp(call, address.email, wish));
  } else {
    if (!phoneEnabled(auth)) throw new AuthError(400, "phone_provider_disabled", "Unsupported phone provider");
    if (challenge) throw validationFailed("PKCE is not supported for phone numbers");
    requireChannel(body.channel);
    await phoneOtp(call, address.phone, wish);
  }
  return json({});
}

async function mailOtp(call: Call, email: string, { createUser, data, challenge }: Wish): Promise<void> {
  const { auth } = call;
  const known = await auth.database.transaction((tx) => findUserByEmail(tx, email), { readOnly: true });
  if (!known) requireCreation(call, createUser);
  await limitMessage(auth, "email", { address: email, purpose: "otp", sent: true });
  await auth.database.transaction(async (tx) => {
    const present = await findUserByEmail(tx, email);
    const user = present ?? (await insertUser(tx, { email, passwordHash: null, userMetadata: data, identityData: data }));
    if (!present) await audit(tx, call, "user_signedup", user);
    const purpose = user.email_confirmed_at || !auth.settings.email.enable_confirmations ? "magiclink" : "signup";
    await mailLink(tx, auth, { user, purpose, mailbox: email, redirectTo: redirectTarget(call), challenge });
    await audit(tx, call, purpose === "signup" ? "user_confirmation_requested" : "user_recovery_requested", user);
  });
  auth.mailer.wake();
}

async function phoneOtp(call: Call, phone: string, { createUser, data }: Wish): Promise<void> {
  const { auth } = call;
  const known = await auth.database.transaction((tx) => findUserByPhone(tx, phone), { readOnly: true });
  if (!known) requireCreation(call, createUser);
  await limitMessage(auth, "sms", { address: phone, purpose: "sms", sent: true });
  const message = await auth.database.transaction(async (tx) => {
    const present = await findUserByPhone(tx, phone);
    const user = present ?? (await insertUser(tx, { phone, passwordHash: null, userMetadata: data, identityData: data }));
    if (!present) await audit(tx, call, "user_signedup", user);
    await audit(tx, call, "user_confirmation_requested", user);
    return issuePhoneCode(tx, auth, { user, phone, type: "sms" });
  });
  await sendPhoneCode(auth, message);
}

function requireCreation({ auth }: Call, createUser: boolean): void {
  if (!createUser) throw new AuthError(422, "otp_disabled", "Signups not allowed for otp");
  if (!auth.settings.enable_signup) throw new AuthError(422, "signup_disabled", "Signups not allowed for this instance");
}
