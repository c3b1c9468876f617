import { z } from "zod";
import { type Address, addressFields, readAddress } from "../accounts/address-body.ts";
import { audit } from "../audit.ts";
import { readJson } from "../../read-json.ts";
import { text } from "../body-fields.ts";
import type { AuthContext, Call } from "../context.ts";
import type { Transaction } from "../../db/database.ts";
import { AuthError, validationFailed } from "../errors.ts";
import { startEmailChange } from "../accounts/email-change.ts";
import { withMinimumDuration } from "../minimum-duration.ts";
import { challengeFields, type CodeChallenge, readChallenge } from "./flow-state.ts";
import { mailLink } from "./links.ts";
import { limitMessage } from "../limits.ts";
import { issuePhoneCode, phoneEnabled, sendPhoneCode } from "./phone-codes.ts";
import { redirectTarget } from "../redirect-allow-list.ts";
import { json } from "../responses.ts";
import type { SmsMessage } from "../optional/phone/index.ts";
import { findUserByEmail, findUserByPhone, type User } from "../accounts/users.ts";

const bodySchema = z.object({ type: text, ...addressFields, ...challengeFields });

const BY_MAIL = new Set(["signup", "email_change"]);
const BY_PHONE = new Set(["sms", "phone_change"]);

/** `POST resend`: sends again what is still to be confirmed, and answers the same where nothing is. */
export async function resend(call: Call): Promise<Response> {
  const { auth } = call;
  const body = await readJson(call.request, bodySchema);
  const { type } = body;
  if (!BY_MAIL.has(type) && !BY_PHONE.has(type))
    throw validationFailed("Missing one of these types: signup, email_change, sms, phone_change");
  const address = readAddress(body, {
    none: "Missing email address or phone number",
    both: "Only an email address or phone number should be provided on resend",
  });
  if (BY_MAIL.has(type) && address.email === undefined) throw validationFailed("Type provided requires an email address");
  if (BY_PHONE.has(type) && address.phone === undefined) throw validationFailed("Type provided requires a phone number");
  const challenge = readChallenge(body);
  if (address.email !== undefined && !auth.settings.email.enable_signup)
    throw new AuthError(400, "email_provider_disabled", "Email logins are disabled");
  if (address.phone !== undefined && !phoneEnabled(auth)) throw new AuthError(400, "phone_provider_disabled", "Unsupported phone provider");
  await withMinimumDuration(() => sendAgain(call, type, address, challenge));
  return json({});
}

async function sendAgain(call: Call, type: string, address: Address, challenge: CodeChallenge | undefined): Promise<void> {
  const { auth } = call;
  const find = (tx: Transaction): Promise<User | undefined> => findPending(tx, type, address);
  const pending = await auth.database.transaction(find, { readOnly: true });
  const channel = address.email === undefined ? "sms" : "email";
  await limitMessage(auth, channel, { address: address.email ?? address.phone, purpose: type, sent: pending !== undefined });
  if (!pending) return;
  const message = await auth.database.transaction(async (tx) => {
    const user = await find(tx);
    if (!user) return null;
    await audit(tx, call, "user_confirmation_requested", user);
    return issueAgain(tx, auth, user, type, { address, challenge, redirectTo: redirectTarget(call) });
  });
  auth.mailer.wake();
  // Not waited for, and its failure logged where it happens: the answer must not tell that there was something to send.
  void sendPhoneCode(auth, message).catch((error: unknown) => {
    if (!(error instanceof AuthError)) auth.log.error({ name: error instanceof Error ? error.name : "unknown" }, "sending again failed");
  });
}

async function findPending(tx: Transaction, type: string, { email, phone }: Address): Promise<User | undefined> {
  const user = email === undefined ? await findUserByPhone(tx, phone) : await findUserByEmail(tx, email);
  if (!user) return undefined;
  const pending = {
    signup: !user.email_confirmed_at,
    email_change: Boolean(user.email_change),
    sms: !user.phone_confirmed_at,
    phone_change: Boolean(user.phone_change),
  };
  return Object.entries(pending).some(([name, open]) => name === type && open) ? user : undefined;
}

async function issueAgain(
  tx: Transaction,
  auth: AuthContext,
  user: User,
  type: string,
  { address, challenge, redirectTo }: { address: Address; challenge: CodeChallenge | undefined; redirectTo: string },
): Promise<SmsMessage | null> {
  if (address.phone !== undefined) {
    const phone = type === "phone_change" ? (user.phone_change ?? "") : address.phone;
    return issuePhoneCode(tx, auth, { user, phone, type: type === "phone_change" ? "phone_change" : "sms" });
  }
  if (type === "email_change") await startEmailChange(tx, auth, user, { to: user.email_change ?? "", redirectTo, challenge });
  else await mailLink(tx, auth, { user, purpose: "signup", mailbox: address.email, redirectTo, challenge });
  return null;
}
