import type { Logger } from "pino";
import { Webhook } from "standardwebhooks";
import type { z } from "zod";
import type { hookSchema } from "../../../config/auth-phone.ts";
import { AuthError } from "../../errors.ts";

/** What sends text messages. */
export interface SmsSender {
  /** Hands over a code for a number (digits only). Fails with a 422 when it was not taken. */
  send(message: SmsMessage): Promise<void>;
}

/** A code on its way; `user` is the account as clients see it. */
export interface SmsMessage {
  user: Record<string, unknown>;
  phone: string;
  otp: string;
  /** What to send, as config.toml words it. */
  text: string;
  type: "sms" | "phone_change" | "reauthentication" | "mfa";
}

/** Where messages are handed over, and the secrets that sign the request, in Standard Webhooks' form. */
export interface SmsHook {
  url: string;
  secrets: string;
}

const PATIENCE_MS = 5_000;

/** Makes the sender that posts each message, signed, to a hook, the environment's or else config.toml's; null without one. */
export function createSmsSender(
  given: SmsHook | undefined,
  configured: z.infer<typeof hookSchema>["send_sms"],
  log: Logger,
): SmsSender | null {
  const hook = given ?? (configured.enabled ? { url: configured.uri, secrets: configured.secrets } : undefined);
  if (!hook) return null;
  const { url, secrets } = hook;
  const signers = secrets.split("|").map((secret) => new Webhook(secret.replace(/^v1,/, "")));
  return {
    async send({ user, phone, otp, text, type }) {
      const id = crypto.randomUUID();
      const now = new Date();
      const body = JSON.stringify({ user, sms: { otp, sms_type: type, phone, message: text } });
      const headers = {
        "content-type": "application/json",
        "webhook-id": id,
        "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
        // Several while a secret is being replaced: one that the receiver knows is enough.
        "webhook-signature": signers.map((signer) => signer.sign(id, now, body)).join(" "),
      };
      const taken = await post(url, headers, body);
      if (taken === "ok") return;
      log.error({ hook: "send_sms", id, reason: taken }, "a text message could not be handed over");
      throw new AuthError(422, "sms_send_failed", "Error sending the text message");
    },
  };
}

/** Posts to the hook; returns "ok", or why it was not taken. A redirect is not followed: it would carry the code elsewhere. */
async function post(url: string, headers: Record<string, string>, body: string): Promise<string> {
  try {
    const response = await fetch(url, { method: "POST", headers, body, redirect: "error", signal: AbortSignal.timeout(PATIENCE_MS) });
    await response.body?.cancel();
    return response.ok ? "ok" : String(response.status);
  } catch (error) {
    return error instanceof Error ? error.name : "unknown";
  }
}
