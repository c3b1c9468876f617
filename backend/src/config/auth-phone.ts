import { z } from "zod";
import { durationSchema } from "./duration.ts";

/** The text of a message, as a Go template. */
export const messageTemplate = z
  .string()
  .regex(/\{\{\s*\.Code\s*\}\}/, "must mention {{ .Code }}")
  .default("Your code is {{ .Code }}");

/** `[auth.sms]`: sign-in by phone. A hook sends the messages. */
export const smsSchema = z
  .object({
    enable_signup: z.boolean().default(false),
    enable_confirmations: z.boolean().default(true),
    template: messageTemplate,
    /** Seconds between two messages of one kind to one number. */
    max_frequency: durationSchema.prefault("60s"),
    otp_length: z.number().int().min(6).max(10).default(6),
    /** Lifetime of a code in seconds. */
    otp_expiry: z.number().int().min(1).max(86_400).default(60),
    /** Fixed codes of test numbers, which receive no message. */
    test_otp: z.record(z.string(), z.string()).default({}),
  })
  .prefault({});

/** One or more secrets of Standard Webhooks in the form of hosted projects: `v1,whsec_…`, joined by `|`. */
export const hookSecrets = z.string().regex(/^(v1,)?whsec_[A-Za-z0-9+/=]{24,}(\|(v1,)?whsec_[A-Za-z0-9+/=]{24,})*$/, "must be v1,whsec_…");

const smsHookSchema = z.discriminatedUnion("enabled", [
  z.object({ enabled: z.literal(true), uri: z.url({ protocol: /^https?$/ }), secrets: hookSecrets }),
  z.looseObject({ enabled: z.literal(false) }),
]);

/** `[auth.hook.*]`: hooks to other services. */
export const hookSchema = z.object({ send_sms: smsHookSchema.default({ enabled: false }) }).prefault({});
