import type { Transaction } from "../../db/database.ts";
import type { AuthContext } from "../context.ts";
import { AuthError, validationFailed } from "../errors.ts";
import { issueToken } from "./one-time-tokens.ts";
import type { SmsMessage } from "../optional/phone/index.ts";
import { userJson } from "../accounts/user-json.ts";
import type { User } from "../accounts/users.ts";

const PURPOSES = {
  sms: { token: "confirmation_token", sentAt: "confirmation_sent_at" },
  phone_change: { token: "phone_change_token", sentAt: "phone_change_sent_at" },
  reauthentication: { token: "reauthentication_token", sentAt: "reauthentication_sent_at" },
} as const;

/** Says whether people may sign in by telephone: it is switched on and there is something to send codes by. */
export function phoneEnabled({ settings, sms }: AuthContext): boolean {
  return settings.sms.enable_signup && sms !== null;
}

/** Refuses a way to send a code that there is none for. */
export function requireChannel(channel: string): void {
  if (channel !== "" && channel !== "sms" && channel !== "whatsapp")
    throw validationFailed("Invalid channel, supported values are 'sms' or 'whatsapp'");
}

/** Issues a code for a number of an account; returns the message to hand over after the commit, null for a test number. */
export async function issuePhoneCode(
  tx: Transaction,
  auth: AuthContext,
  { user, phone, type }: { user: User; phone: string; type: keyof typeof PURPOSES },
): Promise<SmsMessage | null> {
  const { settings } = auth;
  const { token, sentAt } = PURPOSES[type];
  const rehearsed = settings.sms.test_otp[phone];
  const { otp_length: otpLength } = settings.sms;
  const { otp } = await issueToken(tx, auth, { userId: user.id, type: token, address: phone, otpLength, otp: rehearsed });
  await tx.query(`update auth.users set ${sentAt} = now(), updated_at = now() where id = $1`, [user.id]);
  return rehearsed === undefined ? { user: userJson(user), phone, otp, text: wordCode(settings.sms.template, otp), type } : null;
}

/** Words the message that carries a code. */
export function wordCode(template: string, otp: string): string {
  return template.replaceAll(/\{\{\s*\.Code\s*\}\}/g, otp);
}

/** Hands over a message, if there is one to hand over. Fails with a 422 when it is not taken. */
export async function sendPhoneCode({ sms }: AuthContext, message: SmsMessage | null): Promise<void> {
  if (!message) return;
  if (!sms) throw new AuthError(400, "phone_provider_disabled", "Unsupported phone provider");
  await sms.send(message);
}
