import { z } from "zod";
import { audit } from "../audit.ts";
import type { Member } from "../bearer.ts";
import { readJson } from "../../read-json.ts";
import { text } from "../body-fields.ts";
import type { Call } from "../context.ts";
import { limitMessage } from "../limits.ts";
import { hashToken, newOtp } from "../codes/one-time-tokens.ts";
import { requireChannel, sendPhoneCode, wordCode } from "../codes/phone-codes.ts";
import { json } from "../responses.ts";
import { userJson } from "../accounts/user-json.ts";
import type { User } from "../accounts/users.ts";
import { type Challenge, openChallenge } from "./challenges.ts";
import { factorOfPath } from "./factor-of-path.ts";
import { requireVerifiable } from "./switches.ts";

const bodySchema = z.object({ channel: text });

/** `POST factors/{id}/challenge`: the first half of proving a factor; it holds for five minutes, and a phone is sent a code. */
export async function challengeFactor(call: Call, { user }: Member): Promise<Response> {
  const { channel } = await readJson(call.request, bodySchema, {});
  const { id: factorId, factor_type: type, phone } = factorOfPath(call, user.factors);
  requireVerifiable(call.auth, type);
  const challenge = phone === null ? await open(call, user, factorId, null) : await sendCode(call, user, { id: factorId, phone, channel });
  return json({ id: challenge.id, type, expires_at: challenge.expiresAt });
}

async function sendCode(call: Call, user: User, factor: { id: string; phone: string; channel: string }): Promise<Challenge> {
  const { auth } = call;
  const { id, phone, channel } = factor;
  const { otp_length: length, template, max_frequency: interval } = auth.settings.mfa.phone;
  requireChannel(channel);
  await limitMessage(auth, "sms", { address: phone, purpose: "mfa", sent: true, interval });
  const otp = newOtp(length);
  const challenge = await open(call, user, id, hashToken(auth, phone, otp));
  await sendPhoneCode(auth, { user: userJson(user), phone, otp, text: wordCode(template, otp), type: "mfa" });
  return challenge;
}

async function open(call: Call, user: User, factorId: string, codeHash: string | null): Promise<Challenge> {
  return call.auth.database.transaction(async (tx) => {
    const challenge = await openChallenge(tx, call, factorId, codeHash);
    await audit(tx, call, "challenge_created", user, { factor_id: factorId });
    return challenge;
  });
}
