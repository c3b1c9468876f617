import { z } from "zod";
import { durationSchema } from "./duration.ts";

/** The mail templates that a project can replace, named as in the CLI. */
const templateSchema = z.object({
  subject: z.string().min(1).optional(),
  /** The HTML file, relative to the project's root or to `supabase/`. */
  content_path: z.string().min(1).optional(),
  /** The contents of the file, read at start. */
  content: z.string().optional(),
});

const templatesSchema = z
  .object({
    confirmation: templateSchema.optional(),
    invite: templateSchema.optional(),
    magic_link: templateSchema.optional(),
    recovery: templateSchema.optional(),
    email_change: templateSchema.optional(),
    reauthentication: templateSchema.optional(),
  })
  .prefault({});

const smtpSchema = z.discriminatedUnion("enabled", [
  z.object({
    enabled: z.literal(true),
    host: z.union([z.ipv6(), z.string().regex(/^[\p{L}\p{N}._-]+$/u, "must be a host name or an IP address")]),
    port: z.number().int().min(1).max(65_535),
    user: z.string().default(""),
    pass: z.string().default(""),
    admin_email: z.email(),
    sender_name: z.string().default(""),
  }),
  z.looseObject({ enabled: z.literal(false) }),
]);

/** `[auth.email]`: sign-in by email, and mail. */
export const emailSchema = z
  .object({
    enable_signup: z.boolean().default(true),
    /** True if the old and the new address must confirm an email change. */
    double_confirm_changes: z.boolean().default(true),
    enable_confirmations: z.boolean().default(false),
    /** True if a session older than a day needs a mailed code to change the password. */
    secure_password_change: z.boolean().default(false),
    /** True if a password change requires the old password. */
    require_current_password: z.boolean().default(false),
    /** Seconds between two mails of one kind to one address. */
    max_frequency: durationSchema.prefault("60s"),
    otp_length: z.number().int().min(6).max(10).default(6),
    /** Lifetime of a mailed code or link in seconds. */
    otp_expiry: z.number().int().min(1).max(86_400).default(3600),
    template: templatesSchema,
    smtp: smtpSchema.default({ enabled: false }),
  })
  .prefault({});
