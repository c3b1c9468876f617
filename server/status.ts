import { checkDataDirectory } from "./data-directory.ts";
import { backendEnvironment, loadEnvFile, processEnvironment, readEnvironment } from "./environment/environment.ts";
import { startFailure } from "./process.ts";
import { readSecrets } from "./environment/secrets.ts";

loadEnvFile();

// Prints the configuration of a backend with this environment, with the names of `supabase status -o json`.
const { HOST, PORT, SITE_URL } = readEnvironment(processEnvironment, process.env);
const env = readEnvironment(backendEnvironment, process.env);
const secrets = await (async () => {
  checkDataDirectory(env);
  return readSecrets(env);
})().catch((error: unknown) => {
  console.error(startFailure(error));
  process.exit(1);
});
const url = (SITE_URL ?? `http://${HOST}:${PORT}`).replace(/\/$/, "");

console.log(
  JSON.stringify(
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
  ),
);
