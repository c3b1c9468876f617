import { z } from "zod";
import { durationSchema } from "./duration.ts";

/** `[auth.mfa.*]`: second factors; only totp is on unless said otherwise. */
export const mfaSchema = z
  .object({
    max_enrolled_factors: z.number().int().min(0).max(100).default(10),
    totp: z.object({ enroll_enabled: z.boolean().default(true), verify_enabled: z.boolean().default(true) }).prefault({}),
    phone: z
      .object({
        enroll_enabled: z.boolean().default(false),
        verify_enabled: z.boolean().default(false),
        otp_length: z.number().int().min(6).max(10).default(6),
        template: z.string().default("Your code is {{ .Code }}"),
        /** Seconds between two messages to one factor. */
        max_frequency: durationSchema.prefault("5s"),
      })
      .prefault({}),
    web_authn: z.object({ enroll_enabled: z.boolean().default(false), verify_enabled: z.boolean().default(false) }).prefault({}),
  })
  .prefault({});
