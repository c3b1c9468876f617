import { environmentOf, type FunctionContext } from "./runtime.ts";

/** Posts a text message to the service that sends it; returns its response. Rejects if there is none. */
export type SendText = (message: { id: string; phone: string; text: string }) => Promise<Response>;

const TIMEOUT_MS = 20_000;

/** True if SMS_HOOK_URL is set. */
export function hasSmsHook(context: FunctionContext): boolean {
  return Boolean(environmentOf(context)["SMS_HOOK_URL"]);
}

/** Returns the sender of text messages to the hook of SMS_HOOK_URL, signed as Standard Webhooks; null without one. */
export async function openTextMessages(context: FunctionContext): Promise<SendText | null> {
  const { SMS_HOOK_URL: url, SMS_HOOK_SECRET: secrets } = environmentOf(context);
  if (!url || !secrets) return null;
  // Loaded on first use, like nodemailer.
  const { Webhook } = await import("standardwebhooks");
  // Several secrets are valid while one is replaced.
  const signers = secrets.split("|").map((secret) => new Webhook(secret.replace(/^v1,/, "")));
  return async ({ id, phone, text }) => {
    const now = new Date();
    const body = JSON.stringify({ sms: { sms_type: "letter", phone, message: text } });
    const headers = {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
      "webhook-signature": signers.map((signer) => signer.sign(id, now, body)).join(" "),
    };
    const response = await fetch(url, { method: "POST", headers, body, redirect: "error", signal: AbortSignal.timeout(TIMEOUT_MS) });
    await response.body?.cancel();
    return response;
  };
}
