import { z } from "zod";
import { readJson } from "../../body/read-json.ts";
import { addressFields, columnsOf, readAddress, type Address } from "../accounts/addresses.ts";
import { insertUser } from "../accounts/user-changes.ts";
import { findUserByAddress } from "../accounts/users.ts";
import { audit } from "../audit.ts";
import { metadata, text } from "../body-fields.ts";
import type { Call } from "../context.ts";
import { AuthError, validationFailed } from "../errors.ts";
import { limitMessage, limitUnknownAddresses } from "../limits.ts";
import { withMinimumDuration } from "../minimum-duration.ts";
import { json } from "../responses.ts";
import { challengeFields, type CodeChallenge, readChallenge } from "./flow-state.ts";
import { deliverCode, issueCode, phoneEnabled, requireChannel } from "./send-code.ts";

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

/** `POST otp`: sends a sign-in code or link; creates the account unless `create_user` is false. */
export async function otp(call: Call): Promise<Response> {
  const { auth } = call;
  const body = await readJson(call.request, bodySchema);
  const challenge = readChallenge(body);
  if (body.email !== "" && body.channel !== "") throw validationFailed("Channel should only be specified with Phone OTP");
  const address = readAddress(body, {
    none: "One of email or phone must be set",
    both: "Only an email address or phone number should be provided",
  });
  const send = (): Promise<void> => sendSignInCode(call, address, body, challenge);
  if (address.channel === "email") {
    if (!auth.settings.email.enable_signup) throw new AuthError(422, "email_provider_disabled", "Email logins are disabled");
    await withMinimumDuration(auth, send);
  } else {
    if (!phoneEnabled(auth)) throw new AuthError(400, "phone_provider_disabled", "Unsupported phone provider");
    if (challenge) throw validationFailed("PKCE is not supported for phone numbers");
    requireChannel(body.channel);
    await send();
  }
  return json({});
}

async function sendSignInCode(
  call: Call,
  address: Address,
  { create_user: createUser, data }: z.infer<typeof bodySchema>,
  challenge: CodeChallenge | undefined,
): Promise<void> {
  const { database, settings } = call.auth;
  const byEmail = address.channel === "email";
  const known = await database.transaction((tx) => findUserByAddress(tx, address), { readOnly: true });
  if (!createUser || !settings.enable_signup) await limitUnknownAddresses(call, known === undefined);
  if (!known && !createUser) throw new AuthError(422, "otp_disabled", "Signups not allowed for otp");
  if (!known && !settings.enable_signup) throw new AuthError(422, "signup_disabled", "Signups not allowed for this instance");
  await limitMessage(call.auth, address, { purpose: byEmail ? "otp" : "sms", sent: true, client: call.address });
  const message = await database.transaction(async (tx) => {
    const present = await findUserByAddress(tx, address);
    const user = present ?? (await insertUser(tx, { ...columnsOf(address), passwordHash: null, userMetadata: data, identityData: data }));
    if (!present) await audit(tx, call, "user_signedup", user);
    const purpose = byEmail && (user.email_confirmed_at || !settings.email.enable_confirmations) ? "magiclink" : "signup";
    await audit(tx, call, purpose === "signup" ? "user_confirmation_requested" : "user_recovery_requested", user);
    return issueCode(tx, call, { user, address, purpose, challenge });
  });
  await deliverCode(call.auth, message);
}
