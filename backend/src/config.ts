import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse, TomlError } from "smol-toml";
import { z } from "zod";

const apiSchema = z
  .object({
    schemas: z.array(z.string()).min(1).default(["public"]),
    extra_search_path: z.array(z.string()).default(["public", "extensions"]),
    max_rows: z.number().int().positive().default(1000),
    aggregates_enabled: z.boolean().default(false),
    plan_enabled: z.boolean().default(false),
    tx_end: z.enum(["commit", "commit-allow-override", "rollback", "rollback-allow-override"]).default("commit"),
  })
  .prefault({});

const authSchema = z
  .object({
    enable_signup: z.boolean().default(true),
    enable_anonymous_sign_ins: z.boolean().default(false),
    jwt_expiry: z.number().int().min(30).max(604_800).default(3600),
    enable_refresh_token_rotation: z.boolean().default(true),
    refresh_token_reuse_interval: z.number().int().nonnegative().default(10),
    minimum_password_length: z.number().int().min(6).max(72).default(6),
    email: z.object({ enable_signup: z.boolean().default(true), enable_confirmations: z.boolean().default(false) }).prefault({}),
  })
  .prefault({});

const configSchema = z.object({
  project_id: z.string().default("project"),
  api: apiSchema,
  auth: authSchema,
  db: z
    .object({
      seed: z.object({ enabled: z.boolean().default(true), sql_paths: z.array(z.string()).default(["./seed.sql"]) }).prefault({}),
    })
    .prefault({}),
  functions: z.record(z.string(), z.object({ enabled: z.boolean().default(true), verify_jwt: z.boolean().default(true) })).default({}),
});

/** What `config.toml` says, under the Supabase CLI's own names; keys this product does not read are ignored. */
export type Config = z.infer<typeof configSchema>;

/** A `config.toml` that cannot be used; the message names the file and the key. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** Reads `config.toml` of a `supabase/` directory. Fails with a `ConfigError`. */
export async function readConfig(supabaseDir: string): Promise<Config> {
  const file = join(supabaseDir, "config.toml");
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new ConfigError(`${file} cannot be read`, { cause });
  });
  try {
    return configSchema.parse(parse(text));
  } catch (error) {
    if (error instanceof TomlError) throw new ConfigError(`${file}:${error.line}: ${error.message}`, { cause: error });
    if (error instanceof z.ZodError) {
      const problems = error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
      throw new ConfigError(`${file}: ${problems.join("; ")}`, { cause: error });
    }
    throw error;
  }
}
