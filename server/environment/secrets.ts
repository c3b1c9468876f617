import { randomBytes } from "node:crypto";
import { link, mkdir, open, readFile, unlink } from "node:fs/promises";
import { join } from "node:path";
import { generateSigningKey, type Secrets } from "backend";
import { z } from "zod";
import type { BackendEnvironment } from "./environment.ts";
import { StartError } from "../start-error.ts";

const secretsSchema = z.object({
  publishableKey: z.string(),
  secretKey: z.string(),
  jwtSecret: z.string(),
  signingKeys: z.array(z.looseObject({ kid: z.string() })).min(1),
});

type Variables = Pick<BackendEnvironment, "DATA_DIR" | "PUBLISHABLE_KEY" | "SECRET_KEY" | "JWT_SECRET">;

/** Reads `secrets.json` of the data directory; variables of the environment take precedence. Fails with a `StartError`. */
export async function readSecrets(env: Variables): Promise<Secrets> {
  const file = join(env.DATA_DIR, "secrets.json");
  const text = await attempt(file, () => read(file));
  if (text === undefined) {
    throw new StartError(
      `${file} is missing: run the command in the folder of the installation, with the DATA_DIR of the server. If the file is lost, ` +
        "restore it from a backup.",
    );
  }
  return secretsOf(env, parse(file, text));
}

/** Reads the secrets as `readSecrets`, but creates the file (mode 0600) if it is missing: only for the start of a server (docs/decisions/003-secrets.md). */
export async function readOrCreateSecrets(env: Variables): Promise<Secrets> {
  const file = join(env.DATA_DIR, "secrets.json");
  const text = await attempt(file, async () => (await read(file)) ?? (await create(env.DATA_DIR, file)));
  return secretsOf(env, parse(file, text));
}

function secretsOf(env: Variables, stored: Secrets): Secrets {
  return {
    ...stored,
    publishableKey: env.PUBLISHABLE_KEY ?? stored.publishableKey,
    secretKey: env.SECRET_KEY ?? stored.secretKey,
    jwtSecret: env.JWT_SECRET ?? stored.jwtSecret,
  };
}

function parse(file: string, text: string): Secrets {
  try {
    return secretsSchema.parse(JSON.parse(text));
  } catch (error) {
    throw new StartError(
      `${file} is damaged: restore it from a backup. To create new secrets, which replace the API keys and end access tokens, signed ` +
        "links and mailed links and codes, remove the file and start once with START_FRESH=secrets.",
      { cause: error },
    );
  }
}

async function attempt<T>(file: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`DATA_DIR cannot be used: ${file} can be neither read nor written (${reason}).`, { cause: error });
  }
}

async function read(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** Writes a temporary file and links it, so that two processes that start at once use the same secrets. */
async function create(dataDir: string, file: string): Promise<string> {
  const secrets: Secrets = {
    publishableKey: `sb_publishable_${randomBytes(24).toString("base64url")}`,
    secretKey: `sb_secret_${randomBytes(24).toString("base64url")}`,
    jwtSecret: randomBytes(48).toString("base64url"),
    signingKeys: [z.looseObject({ kid: z.string() }).parse(await generateSigningKey())],
  };
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}.${randomBytes(4).toString("hex")}`;
  const handle = await open(draft, "wx", 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(secrets, null, 2)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  try {
    await link(draft, file);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  } finally {
    await unlink(draft);
  }
  return readFile(file, "utf8");
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
