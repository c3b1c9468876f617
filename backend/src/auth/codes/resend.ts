import { z } from "zod";
import type { Transaction } from "../../db/database.ts";
import { readJson } from "../../body/read-json.ts";
import { addressFields, readAddress, requireEmail, type Address } from "../accounts/addresses.ts";
import { startEmailChange } from "../accounts/email-change.ts";
import { findUserByAddress, type User } from "../accounts/users.ts";
import { audit } from "../audit.ts";
import { text } from "../body-fields.ts";
import type { Call } from "../context.ts";
import { AuthError, validationFailed } from "../errors.ts";
import { limitMessage } from "../limits.ts";
import { withMinimumDuration } from "../minimum-duration.ts";
import type { SmsMessage } from "../sms.ts";
import { redirectTarget } from "../redirect-allow-list.ts";
import { json } from "../responses.ts";
import { challengeFields, type CodeChallenge, readChallenge } from "./flow-state.ts";
import { deliverCode, issueCode, issuePhoneCode, phoneEnabled } from "./send-code.ts";

const recoverySchema = z.object({ email: text, ...challengeFields });

/** `POST recover`: mails a link to choose a new password; the response does not reveal if the account exists. */
export async function recover(call: Call): Promise<Response> {
  const body = await readJson(call.request, recoverySchema);
  const challenge = readChallenge(body);
  if (!call.auth.settings.email.enable_signup) throw new AuthError(400, "email_provider_disabled", "Email logins are disabled");
  if (body.email === "") throw validationFailed("Password recovery requires an email");
  const address: Address = { channel: "email", value: requireEmail(body.email) };
  await withMinimumDuration(call.auth, () => send(call, { type: "recovery", isPending: () => true, address, challenge }));
  return json({});
}

const resendSchema = z.object({ type: text, ...addressFields, ...challengeFields });

type IsPending = (user: User) => boolean;

/** The types of confirmation, with their channel and the test if one is pending. */
const TYPES: Readonly<Record<string, { channel: Address["channel"]; isPending: IsPending }>> = {
  signup: { channel: "email", isPending: (user) => !user.email_confirmed_at },
  email_change: { channel: "email", isPending: (user) => Boolean(user.email_change) },
  sms: { channel: "phone", isPending: (user) => !user.phone_confirmed_at },
  phone_change: { channel: "phone", isPending: (user) => Boolean(user.phone_change) },
};

/** `POST resend`: sends a pending confirmation again; the response does not reveal if one is pending. */
export async function resend(call: Call): Promise<Response> {
  const { auth } = call;
  const body = await readJson(call.request, resendSchema);
  const { type } = body;
  const kind = TYPES[type];
  if (!kind) throw validationFailed("Missing one of these types: signup, email_change, sms, phone_change");
  const address = readAddress(body, {
    none: "Missing email address or phone number",
    both: "Only an email address or phone number should be provided on resend",
  });
  if (kind.channel !== address.channel)
    throw validationFailed(`Type provided requires ${kind.channel === "email" ? "an email address" : "a phone number"}`);
  const challenge = readChallenge(body);
  if (kind.channel === "email" && !auth.settings.email.enable_signup)
    throw new AuthError(400, "email_provider_disabled", "Email logins are disabled");
  if (kind.channel === "phone" && !phoneEnabled(auth)) throw new AuthError(400, "phone_provider_disabled", "Unsupported phone provider");
  await withMinimumDuration(auth, () => send(call, { type, isPending: kind.isPending, address, challenge }));
  return json({});
}

interface Sending {
  type: string;
  isPending: IsPending;
  address: Address;
  challenge: CodeChallenge | undefined;
}

async function send(call: Call, sending: Sending): Promise<void> {
  const { auth } = call;
  const { type, isPending, address } = sending;
  const findPending = async (tx: Transaction): Promise<User | undefined> => {
    const user = await findUserByAddress(tx, address);
    return user && isPending(user) ? user : undefined;
  };
  const pending = await auth.database.transaction(findPending, { readOnly: true });
  await limitMessage(auth, address, { purpose: type, sent: pending !== undefined, client: call.address });
  if (!pending) return;
  const message = await auth.database.transaction(async (tx) => {
    const user = await findPending(tx);
    if (!user) return null;
    await audit(tx, call, type === "recovery" ? "user_recovery_requested" : "user_confirmation_requested", user);
    return issue(tx, call, user, sending);
  });
  // Not awaited: neither the duration nor an error may reveal that a message is sent.
  void deliverCode(auth, message).catch((error: unknown) => {
    if (!(error instanceof AuthError)) auth.log.error({ name: error instanceof Error ? error.name : "unknown" }, "sending a code failed");
  });
}

async function issue(tx: Transaction, call: Call, user: User, { type, address, challenge }: Sending): Promise<SmsMessage | null> {
  if (type === "phone_change") return issuePhoneCode(tx, call.auth, { user, phone: user.phone_change ?? "", type });
  if (type !== "email_change") return issueCode(tx, call, { user, address, purpose: type === "recovery" ? type : "signup", challenge });
  await startEmailChange(tx, call.auth, user, { to: user.email_change ?? "", redirectTo: redirectTarget(call), challenge });
  return null;
}
