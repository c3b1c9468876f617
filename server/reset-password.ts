import { parseArgs } from "node:util";
import { z } from "zod";
import { checkDataDirectory } from "./data-directory.ts";
import { backendEnvironment, loadEnvFile, processEnvironment, readEnvironment } from "./environment/environment.ts";
import { startFailure } from "./process.ts";
import { readSecrets } from "./environment/secrets.ts";
import { siteEnvironment } from "./environment/site-environment.ts";
import { StartError } from "./start-error.ts";

const USAGE = "Usage: npm run -s reset-password -- jo@example.org [--remove-second-factor]";

const linkSchema = z.object({
  id: z.string(),
  hashed_token: z.string(),
  verification_type: z.string(),
  factors: z.array(z.object({ id: z.string() })).default([]),
});

// Prints a link with which the owner of an account chooses a new password. Asks the running server, because only one process can
// open the embedded database.
try {
  loadEnvFile();
  console.log(await resetPassword());
} catch (error) {
  console.error(startFailure(error));
  process.exit(1);
}

async function resetPassword(): Promise<string> {
  const { positionals, values } = readArguments();
  const [email, ...more] = positionals;
  if (email === undefined || more.length > 0) throw new StartError(USAGE);
  const { HOST, PORT, SITE_URL } = readEnvironment(processEnvironment, process.env);
  const { SUPABASE_URL } = readEnvironment(siteEnvironment, process.env);
  const server = `http://${HOST.includes(":") ? `[${HOST}]` : HOST}:${PORT}`;
  const admin = adminApi(SUPABASE_URL ?? server, await secretKey());
  const link = linkSchema.parse(await admin("POST", "/admin/generate_link", { type: "recovery", email }));
  if (values["remove-second-factor"]) for (const { id } of link.factors) await admin("DELETE", `/admin/users/${link.id}/factors/${id}`);
  const hash = new URLSearchParams({ token_hash: link.hashed_token, type: link.verification_type });
  return `${(SITE_URL ?? server).replace(/\/$/, "")}/admin/password#${hash}`;
}

function readArguments() {
  try {
    return parseArgs({ allowPositionals: true, options: { "remove-second-factor": { type: "boolean" } } });
  } catch {
    throw new StartError(USAGE);
  }
}

async function secretKey(): Promise<string> {
  const env = readEnvironment(backendEnvironment, process.env);
  if (env.SECRET_KEY !== undefined) return env.SECRET_KEY;
  checkDataDirectory(env);
  return (await readSecrets(env)).secretKey;
}

/** Returns a function that calls the admin API of the auth service. Fails with a `StartError`. */
function adminApi(url: string, key: string) {
  return async (method: "POST" | "DELETE", path: string, body?: Record<string, string>): Promise<unknown> => {
    const headers = { apikey: key, "Content-Type": "application/json" };
    const response = await fetch(`${url}/auth/v1${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) }).catch(() => {
      throw new StartError(`No server answers at ${url}. Start it first, with the same environment.`);
    });
    const answer: unknown = await response.json().catch(() => null);
    if (response.ok) return answer;
    const { msg } = z.object({ msg: z.string() }).safeParse(answer).data ?? { msg: response.statusText };
    throw new StartError(`The server at ${url} refused: ${msg} (${response.status})`);
  };
}
