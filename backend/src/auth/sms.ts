import type { Logger } from "pino";
import type { z } from "zod";
import type { hookSchema } from "../config/auth-phone.ts";
import { AuthError } from "./errors.ts";

/** A text message with a code. */
export interface SmsMessage {
  /** The account in the form of the API. */
  user: Record<string, unknown>;
  /** Digits only. */
  phone: string;
  otp: string;
  /** The text to send. */
  text: string;
  type: "sms" | "phone_change" | "reauthentication" | "mfa";
}

/** The address of the hook that sends text messages, and its secrets in the form of Standard Webhooks. */
export interface SmsHook {
  url: string;
  secrets: string;
}

/** Posts a message, signed, to the hook that sends it. Fails with a 422 if the hook does not accept it. */
export type SmsSender = (message: SmsMessage) => Promise<void>;

const TIMEOUT_MS = 5_000;

/** Creates the sender for the hook of the environment, else of config.toml. Returns null without a hook. */
export function createSmsSender(
  given: SmsHook | undefined,
  configured: z.infer<typeof hookSchema>["send_sms"],
  log: Logger,
): SmsSender | null {
  const hook = given ?? (configured.enabled ? { url: configured.uri, secrets: configured.secrets } : undefined);
  if (!hook) return null;
  const { url, secrets } = hook;
  return async ({ user, phone, otp, text, type }) => {
    // Imported by the first message.
    const { Webhook } = await import("standardwebhooks");
    const id = crypto.randomUUID();
    const now = new Date();
    const body = JSON.stringify({ user, sms: { otp, sms_type: type, phone, message: text } });
    // Several secrets are valid while one is replaced; the receiver needs one signature that it can verify.
    const signers = secrets.split("|").map((secret) => new Webhook(secret.replace(/^v1,/, "")));
    const headers = {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
      "webhook-signature": signers.map((signer) => signer.sign(id, now, body)).join(" "),
    };
    const reason = await post(url, headers, body);
    if (reason === undefined) return;
    log.error({ hook: "send_sms", id, reason }, "the hook did not accept a text message");
    throw new AuthError(422, "sms_send_failed", "Error sending the text message");
  };
}

/** Returns undefined, or the reason of a failure. Redirects are not followed, because they would send the code elsewhere. */
async function post(url: string, headers: Record<string, string>, body: string): Promise<string | undefined> {
  try {
    const response = await fetch(url, { method: "POST", headers, body, redirect: "error", signal: AbortSignal.timeout(TIMEOUT_MS) });
    await response.body?.cancel();
    return response.ok ? undefined : String(response.status);
  } catch (error) {
    return error instanceof Error ? error.name : "unknown";
  }
}
