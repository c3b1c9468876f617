import { existsSync } from "node:fs";
import { z } from "zod";
import { hookSecrets, urlsOfHosts } from "backend";

/** The number of trusted proxies in front of the server. */
const trustProxy = z
  .string()
  .regex(/^(true|false|\d+)$/, "must be true, false or a number of proxies")
  .transform((text) => (text === "true" ? 1 : text === "false" ? 0 : Number(text)));

const email = z.email().max(255);

const oneHost = z.url({ protocol: /^postgres(ql)?$/ });
/** A connection URL; it may list several hosts. */
const databaseUrl = z
  .string()
  .refine((text) => urlsOfHosts(text).every((url) => oneHost.safeParse(url).success), "must be a URL postgres://…");

/** An address, or a name and an address in angle brackets. Line breaks are refused: they would start another header. */
const mailFrom = z
  .string()
  .regex(/^(?:[^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/, "must be an address, or a name and <an address>");

/** Variables of every process. */
export const processEnvironment = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
  HOST: z.string().default("127.0.0.1"),
  SITE_URL: z.url({ protocol: /^https?$/ }).optional(),
  TRUST_PROXY: trustProxy.default(0),
  DRAIN_SECONDS: z.coerce.number().int().min(0).max(300).default(0),
  METRICS_KEY: z.string().min(16).optional(),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
});

/** Variables of a process that runs the backend. */
export const backendEnvironment = z
  .object({
    DATA_DIR: z.string().default("./data"),
    DATABASE_URL: databaseUrl.optional(),
    DATABASE_POOL_SIZE: z.coerce.number().int().min(1).max(1000).optional(),
    SUPABASE_DIR: z.string().default("./supabase"),
    PUBLISHABLE_KEY: z.string().startsWith("sb_publishable_").min(24).optional(),
    SECRET_KEY: z.string().startsWith("sb_secret_").min(24).optional(),
    JWT_SECRET: z.string().min(32).optional(),
    STAFF_EMAIL: email.optional(),
    STAFF_PASSWORD: z.string().min(10).max(72).optional(),
    SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
    MAIL_FROM: mailFrom.optional(),
    SMS_HOOK_URL: z.url({ protocol: /^https?$/ }).optional(),
    SMS_HOOK_SECRET: hookSecrets.optional(),
    START_FRESH: z.enum(["secrets", "database"]).optional(),
    BACKUP_DIR: z.string().optional(),
    BACKUP_PASSPHRASE: z.string().min(12).optional(),
    STORAGE_SWEEP: z.enum(["on", "off", "adopt"]).default("on"),
    S3_BUCKET: z.string().optional(),
    S3_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
    S3_REGION: z.string().optional(),
    S3_ACCESS_KEY_ID: z.string().optional(),
    S3_SECRET_ACCESS_KEY: z.string().optional(),
  })
  .refine((env) => (env.STAFF_EMAIL === undefined) === (env.STAFF_PASSWORD === undefined), {
    path: ["STAFF_PASSWORD"],
    message: "STAFF_EMAIL and STAFF_PASSWORD go together",
  })
  .refine((env) => (env.SMS_HOOK_URL === undefined) === (env.SMS_HOOK_SECRET === undefined), {
    path: ["SMS_HOOK_SECRET"],
    message: "SMS_HOOK_URL and SMS_HOOK_SECRET go together",
  })
  .refine((env) => (env.S3_ACCESS_KEY_ID === undefined) === (env.S3_SECRET_ACCESS_KEY === undefined), {
    path: ["S3_ACCESS_KEY_ID"],
    message: "S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY go together",
  })
  .refine((env) => env.S3_ACCESS_KEY_ID !== undefined || env.S3_BUCKET === undefined, {
    path: ["S3_BUCKET"],
    message: "it needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY",
  })
  .refine((env) => env.S3_ACCESS_KEY_ID !== undefined || env.BACKUP_DIR?.startsWith("s3://") !== true, {
    path: ["BACKUP_DIR"],
    message: "it needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY",
  });

export type BackendEnvironment = z.infer<typeof backendEnvironment>;

/** An invalid environment; the message names each variable and never contains a value. */
export class EnvironmentError extends Error {
  override readonly name = "EnvironmentError";
}

/** Adds the variables of `.env` in the working directory, if it exists, to those of the process, which take precedence. */
export function loadEnvFile(): void {
  if (existsSync(".env")) process.loadEnvFile(".env");
}

/** Parses the variables of `schema`; an empty value counts as absent. Fails with an `EnvironmentError`. */
export function readEnvironment<T>(schema: z.ZodType<T>, env: Record<string, string | undefined>): T {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ""));
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  throw new EnvironmentError(problems.join("; "));
}
