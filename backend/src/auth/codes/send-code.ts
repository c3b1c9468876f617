import type { Transaction } from "../../db/database.ts";
import type { Address } from "../accounts/addresses.ts";
import { userJson, type User } from "../accounts/users.ts";
import type { AuthContext, Call } from "../context.ts";
import { AuthError, validationFailed } from "../errors.ts";
import type { SmsMessage } from "../sms.ts";
import { redirectTarget } from "../redirect-allow-list.ts";
import type { CodeChallenge } from "./flow-state.ts";
import { mailLink } from "./links.ts";
import { issueToken } from "./one-time-tokens.ts";

/** A code for an address of an account. */
interface CodeRequest {
  user: User;
  address: Address;
  /** The code for a phone number is the same for a sign-in and a sign-up. */
  purpose: "signup" | "magiclink" | "recovery" | "reauthentication";
  challenge?: CodeChallenge | undefined;
}

/** Issues a code. Queues its mail, or returns its text message; call `deliverCode` after the commit. */
export async function issueCode(tx: Transaction, call: Call, request: CodeRequest): Promise<SmsMessage | null> {
  const { user, address, purpose, challenge } = request;
  if (address.channel === "phone")
    return issuePhoneCode(tx, call.auth, { user, phone: address.value, type: purpose === "reauthentication" ? purpose : "sms" });
  await mailLink(tx, call.auth, { user, purpose, mailbox: address.value, redirectTo: redirectTarget(call), challenge });
  return null;
}

const PHONE_TOKENS = { sms: "confirmation_token", phone_change: "phone_change_token", reauthentication: "reauthentication_token" } as const;

/** Issues a code for a phone number of an account; returns the message to send, or null for a test number. */
export async function issuePhoneCode(
  tx: Transaction,
  auth: AuthContext,
  { user, phone, type }: { user: User; phone: string; type: keyof typeof PHONE_TOKENS },
): Promise<SmsMessage | null> {
  const { template, test_otp: testCodes, otp_length: otpLength } = auth.settings.sms;
  const testCode = testCodes[phone];
  const { otp } = await issueToken(tx, auth, { userId: user.id, type: PHONE_TOKENS[type], address: phone, otpLength, otp: testCode });
  return testCode === undefined ? { user: userJson(user), phone, otp, text: renderSms(template, otp), type } : null;
}

/** Renders the text message of a code. */
export function renderSms(template: string, otp: string): string {
  return template.replaceAll(/\{\{\s*\.Code\s*\}\}/g, otp);
}

/** Sends queued mail, and the text message if there is one. Fails with a 422 if the message is not accepted. */
export async function deliverCode({ mailer, sms }: AuthContext, message: SmsMessage | null): Promise<void> {
  mailer.wake();
  if (!message) return;
  if (!sms) throw new AuthError(400, "phone_provider_disabled", "Unsupported phone provider");
  await sms(message);
}

/** Returns true if sign-in by phone is enabled and text messages can be sent. */
export function phoneEnabled({ settings, sms }: AuthContext): boolean {
  return settings.sms.enable_signup && sms !== null;
}

/** Fails with a 400 for an unknown channel of text messages. */
export function requireChannel(channel: string): void {
  if (channel !== "" && channel !== "sms" && channel !== "whatsapp")
    throw validationFailed("Invalid channel, supported values are 'sms' or 'whatsapp'");
}
