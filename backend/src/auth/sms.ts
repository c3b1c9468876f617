import type { Logger } from "pino";
import type { z } from "zod";
import type { hookSchema } from "../config/auth-phone.ts";
import type { SmsHook, SmsMessage } from "./optional/phone/index.ts";

/** Sends text messages. */
export interface SmsSender {
  /** Hands a message over to the hook. Fails with a 422 if the hook does not accept it. */
  send(message: SmsMessage): Promise<void>;
}

/** Creates the sender for the hook of the environment, else of config.toml. Returns null without a hook. */
export function createSmsSender(
  given: SmsHook | undefined,
  configured: z.infer<typeof hookSchema>["send_sms"],
  log: Logger,
): SmsSender | null {
  const hook = given ?? (configured.enabled ? { url: configured.uri, secrets: configured.secrets } : undefined);
  if (!hook) return null;
  return {
    async send(message) {
      const { sendByHook } = await import("./optional/phone/index.ts");
      await sendByHook(hook, message, log);
    },
  };
}
