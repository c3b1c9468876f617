import { z } from "zod";
import { audit } from "../audit.ts";
import type { Member } from "../bearer.ts";
import { readJson } from "../../body/read-json.ts";
import { text } from "../body-fields.ts";
import type { Call } from "../context.ts";
import { limitMessage } from "../limits.ts";
import { hashToken, newOtp } from "../codes/one-time-tokens.ts";
import { deliverCode, renderSms, requireChannel } from "../codes/send-code.ts";
import { json } from "../responses.ts";
import { type User, userJson } from "../accounts/users.ts";
import { type Challenge, openChallenge } from "./challenges.ts";
import { factorOfPath, requireVerifiable } from "./factors.ts";

const bodySchema = z.object({ channel: text });

/** `POST factors/{id}/challenge`: opens a challenge for five minutes and sends a code to a phone factor. */
export async function challengeFactor(call: Call, { user }: Member): Promise<Response> {
  const { channel } = await readJson(call.request, bodySchema, { empty: {} });
  const factor = factorOfPath(call, user.factors);
  requireVerifiable(call.auth, factor);
  const { id: factorId, factor_type: type, phone } = factor;
  const challenge = phone === null ? await open(call, user, factorId, null) : await sendCode(call, user, { id: factorId, phone, channel });
  return json({ id: challenge.id, type, expires_at: challenge.expiresAt });
}

async function sendCode(call: Call, user: User, factor: { id: string; phone: string; channel: string }): Promise<Challenge> {
  const { auth } = call;
  const { id, phone, channel } = factor;
  const { otp_length: length, template, max_frequency: interval } = auth.settings.mfa.phone;
  requireChannel(channel);
  await limitMessage(auth, { channel: "phone", value: phone }, { purpose: "mfa", sent: true, interval });
  const otp = newOtp(length);
  const challenge = await open(call, user, id, hashToken(auth, phone, otp));
  await deliverCode(auth, { user: userJson(user), phone, otp, text: renderSms(template, otp), type: "mfa" });
  return challenge;
}

async function open(call: Call, user: User, factorId: string, codeHash: string | null): Promise<Challenge> {
  return call.auth.database.transaction(async (tx) => {
    const challenge = await openChallenge(tx, call, factorId, codeHash);
    await audit(tx, call, "challenge_created", user, { factor_id: factorId });
    return challenge;
  });
}
