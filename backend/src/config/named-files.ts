import { readFile } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import type { z } from "zod";
import { type authSchema, signingKeysSchema } from "./auth.ts";
import { ConfigError } from "./error.ts";

interface WithAuth {
  auth: z.infer<typeof authSchema>;
}

/** Reads the files that config.toml names, mail templates and signing keys, into the configuration. Fails with a `ConfigError`. */
export async function readNamedFiles<T extends WithAuth>(config: T, supabaseDir: string): Promise<T> {
  const { auth } = config;
  const template = { ...auth.email.template };
  for (const name of TEMPLATES) {
    const own = template[name];
    if (own?.content_path === undefined) continue;
    const content = await readNamed(supabaseDir, `auth.email.template.${name}.content_path`, own.content_path);
    template[name] = { ...own, content };
  }
  const { signing_keys_path: keysPath } = auth;
  const keys = keysPath === undefined ? undefined : await readSigningKeys(supabaseDir, keysPath);
  return { ...config, auth: { ...auth, email: { ...auth.email, template }, ...(keys && { signing_keys: keys }) } };
}

const TEMPLATES = ["confirmation", "invite", "magic_link", "recovery", "email_change", "reauthentication"] as const;

async function readSigningKeys(supabaseDir: string, path: string): Promise<z.infer<typeof signingKeysSchema>> {
  const key = "auth.signing_keys_path";
  const text = await readNamed(supabaseDir, key, path);
  try {
    return signingKeysSchema.parse(JSON.parse(text));
  } catch {
    // Without the cause, which contains parts of the file.
    throw new ConfigError(`${key}: ${path} is not a JSON array of private ES256 or RS256 keys, each with a kid`);
  }
}

// The CLI resolves template paths from the project's root and key paths from supabase/.
async function readNamed(supabaseDir: string, key: string, path: string): Promise<string> {
  const candidates = isAbsolute(path) ? [path] : [join(supabaseDir, path), join(supabaseDir, "..", path)];
  for (const candidate of candidates) {
    const text = await readFile(candidate, "utf8").catch(() => undefined);
    if (text !== undefined) return text;
  }
  throw new ConfigError(`${key}: ${path} cannot be read`);
}
