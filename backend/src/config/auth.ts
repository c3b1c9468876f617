import { z } from "zod";
import { emailSchema } from "./auth-email.ts";
import { hookSchema, smsSchema } from "./auth-phone.ts";
import { externalSchema, ssoSchema } from "./auth-providers.ts";
import { durationSchema } from "./duration.ts";
import { mfaSchema } from "./mfa.ts";

/** The values of `password_requirements` in the CLI. */
const passwordRequirements = z.enum(["", "letters_digits", "lower_upper_letters_digits", "lower_upper_letters_digits_symbols"]);

const rate = (fallback: number): z.ZodDefault<z.ZodNumber> => z.number().int().min(1).max(1_000_000).default(fallback);

/** `[auth.rate_limit]`: mails, messages and anonymous accounts per hour, everything else per five minutes. */
const rateLimitSchema = z
  .object({
    email_sent: rate(30),
    sms_sent: rate(30),
    anonymous_users: rate(30),
    token_refresh: rate(150),
    sign_in_sign_ups: rate(30),
    token_verifications: rate(30),
  })
  .prefault({});

const sessionsSchema = z
  .object({
    /** Longest lifetime of a session in seconds; 0 for no limit. */
    timebox: durationSchema.prefault("0s"),
    /** Longest time between two refreshes of a session in seconds; 0 for no limit. */
    inactivity_timeout: durationSchema.prefault("0s"),
  })
  .prefault({});

const kid = z.string().min(1);
const ecKeySchema = z.looseObject({ kid, kty: z.literal("EC"), crv: z.literal("P-256"), x: z.string(), y: z.string(), d: z.string() });
const rsaKeySchema = z.looseObject({ kid, kty: z.literal("RSA"), n: z.string(), e: z.string(), d: z.string() });
const signingKeySchema = z.discriminatedUnion("kty", [ecKeySchema, rsaKeySchema]);

/** The contents of the file of `signing_keys_path`: private ES256 or RS256 keys; the first one signs. */
export const signingKeysSchema = z.array(signingKeySchema).min(1);

/** `[auth]`, named as in the Supabase CLI. */
export const authSchema = z
  .object({
    enabled: z.literal(true).default(true),
    /** The default target of a sign-in; the address of the server if absent. */
    site_url: z.url({ protocol: /^https?$/ }).optional(),
    additional_redirect_urls: z.array(z.string().min(1)).default([]),
    jwt_expiry: z.number().int().min(30).max(604_800).default(3600),
    signing_keys_path: z.string().min(1).optional(),
    /** The contents of the file of `signing_keys_path`, read at start. */
    signing_keys: signingKeysSchema.optional(),
    enable_refresh_token_rotation: z.boolean().default(true),
    refresh_token_reuse_interval: z.number().int().nonnegative().default(10),
    enable_manual_linking: z.boolean().default(false),
    enable_signup: z.boolean().default(true),
    enable_anonymous_sign_ins: z.boolean().default(false),
    minimum_password_length: z.number().int().min(6).max(72).default(6),
    password_requirements: passwordRequirements.default(""),
    rate_limit: rateLimitSchema,
    email: emailSchema,
    sms: smsSchema,
    hook: hookSchema,
    sessions: sessionsSchema,
    mfa: mfaSchema,
    external: externalSchema,
    sso: ssoSchema,
  })
  .prefault({});
