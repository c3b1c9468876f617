import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import { parse, TomlError } from "smol-toml";
import { z } from "zod";
import { authSchema } from "./auth.ts";
import { ConfigError } from "./error.ts";
import { readNamedFiles } from "./named-files.ts";
import { realtimeSchema } from "./realtime.ts";
import { storageSchema } from "./storage.ts";
import { respell, substitute, unknownKeys, type Variables } from "./variables.ts";

const apiSchema = z
  .object({
    schemas: z.array(z.string()).min(1).default(["public"]),
    extra_search_path: z.array(z.string()).default(["public", "extensions"]),
    max_rows: z.number().int().positive().default(1000),
    auto_expose_new_tables: z.boolean().optional(),
    aggregates_enabled: z.boolean().default(false),
    plan_enabled: z.boolean().default(false),
    tx_end: z.enum(["commit", "commit-allow-override", "rollback", "rollback-allow-override"]).default("commit"),
  })
  .prefault({});

const databaseSchema = z.object({
  db: z
    .object({
      seed: z.object({ enabled: z.boolean().default(true), sql_paths: z.array(z.string()).default(["./seed.sql"]) }).prefault({}),
    })
    .prefault({}),
});

const configSchema = databaseSchema.extend({
  project_id: z.string().default("project"),
  api: apiSchema,
  auth: authSchema,
  storage: storageSchema,
  realtime: realtimeSchema,
  edge_runtime: z.object({ secrets: z.record(z.string(), z.string()).default({}) }).prefault({}),
  functions: z.record(z.string(), z.object({ enabled: z.boolean().default(true), verify_jwt: z.boolean().default(true) })).default({}),
});

/** The contents of `config.toml`, named as in the Supabase CLI. */
export type Config = z.infer<typeof configSchema>;

/** The part of `config.toml` that makes the database. */
export type DatabaseConfig = z.infer<typeof databaseSchema>;

/** Keys about the CLI's own containers, which have no effect here. */
const OF_THE_CLI =
  /^(api\.(enabled|port|tls|external_url)|db\.(port|shadow_port|health_timeout|major_version|pooler|migrations|settings|network_restrictions|ssl_enforcement)|auth\.rate_limit\.web3|studio|inbucket|local_smtp|realtime\.(ip_version|max_header_length)|storage\.(s3_protocol|analytics|vector)|analytics|edge_runtime|experimental|remotes)(\.|$)/;

/** The schema of pg_graphql, which the CLI exposes by default. */
const GRAPHQL = "graphql_public";

interface ReadConfigOptions {
  /** Receives warnings about keys that are not read. */
  log?: Logger;
  /** The variables for `env(NAME)`; the environment of the process by default. */
  env?: Readonly<Record<string, string | undefined>>;
}

/** Reads `config.toml` of a `supabase/` directory and the files it names. Fails with a `ConfigError`. */
export async function readConfig(supabaseDir: string, { log, env = process.env }: ReadConfigOptions = {}): Promise<Config> {
  const { file, given, variables } = await readGiven(supabaseDir, env);
  const config = validate(configSchema, file, given, variables);
  const keys = unknownKeys(given, config).filter((key) => !OF_THE_CLI.test(key));
  if (keys.length > 0) log?.warn({ file, keys }, "config.toml has keys without effect");
  if (config.api.schemas.includes(GRAPHQL))
    log?.warn({ file, keys: ["api.schemas"] }, `GraphQL is not supported: exposing the schema ${GRAPHQL} has no effect`);
  if (config.api.auto_expose_new_tables)
    log?.warn(
      { file, keys: ["api.auto_expose_new_tables"] },
      "new tables are exposed by the grants of their migration only, as in every hosted project since 30 October 2026",
    );
  return readNamedFiles(config, supabaseDir);
}

/**
 * Reads only `[db]` of `config.toml`: for a process that lacks the variables of other parts, such as sign-in providers. Fails with a
 * `ConfigError`.
 */
export async function readDatabaseConfig(supabaseDir: string): Promise<DatabaseConfig> {
  const { file, given, variables } = await readGiven(supabaseDir, process.env);
  return validate(databaseSchema, file, given, variables);
}

async function readGiven(
  supabaseDir: string,
  env: NonNullable<ReadConfigOptions["env"]>,
): Promise<{ file: string; given: unknown; variables: Variables }> {
  const file = join(supabaseDir, "config.toml");
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw new ConfigError(`${file} cannot be read`, { cause });
  });
  const variables: Variables = new Map();
  return { file, given: substitute(parseToml(file, text), env, variables), variables };
}

function parseToml(file: string, text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof TomlError) throw new ConfigError(`${file}:${error.line}: ${error.message}`, { cause: error });
    throw error;
  }
}

function validate<T>(schema: z.ZodType<T>, file: string, given: unknown, variables: Variables): T {
  let document = given;
  let parsed = schema.safeParse(document);
  // Environment variables are text: where the schema expects a number or a boolean, the text is converted.
  const unread = new Set(variables.keys());
  for (let misread = true; misread && !parsed.success; parsed = schema.safeParse(document)) {
    const paths = parsed.error.issues.flatMap(({ path }) => (unread.delete(path.join(".")) ? [path] : []));
    document = paths.reduce(respell, document);
    misread = paths.length > 0;
  }
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => {
    const path = issue.path.join(".");
    const variable = variables.get(path);
    return variable === undefined ? `${path}: ${issue.message}` : `${path} (from ${variable}): ${issue.message}`;
  });
  throw new ConfigError(`${file}: ${problems.join("; ")}`, { cause: parsed.error });
}
