import { z } from "zod";
import { messageTemplate } from "./auth-phone.ts";
import { durationSchema } from "./duration.ts";

/** `[auth.mfa]`: the second factors that can be enrolled and used; phone also needs an SMS hook. */
export const mfaSchema = z
  .object({
    max_enrolled_factors: z.number().int().nonnegative().default(10),
    totp: z.object({ enroll_enabled: z.boolean().default(true), verify_enabled: z.boolean().default(true) }).prefault({}),
    phone: z
      .object({
        enroll_enabled: z.boolean().default(false),
        verify_enabled: z.boolean().default(false),
        otp_length: z.number().int().min(6).max(10).default(6),
        template: messageTemplate,
        /** Seconds between two messages to one number. */
        max_frequency: durationSchema.prefault("5s"),
      })
      .prefault({}),
  })
  .prefault({});
