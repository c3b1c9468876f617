import { backendEnvironment, readEnvironment } from "server/environment/environment.ts";
import { readSecrets } from "server/environment/secrets.ts";
import { publicAddress } from "../running-server.ts";

/** The addresses and keys of a backend with this environment as JSON, with the names of `supabase status -o json`. */
export async function status(): Promise<string> {
  const env = readEnvironment(backendEnvironment, process.env);
  const secrets = await readSecrets(env);
  const url = publicAddress();
  return JSON.stringify(
    {
      API_URL: url,
      REST_URL: `${url}/rest/v1`,
      FUNCTIONS_URL: `${url}/functions/v1`,
      DB_URL: env.DATABASE_URL ?? null,
      PUBLISHABLE_KEY: secrets.publishableKey,
      SECRET_KEY: secrets.secretKey,
      JWT_SECRET: secrets.jwtSecret,
    },
    null,
    2,
  );
}
