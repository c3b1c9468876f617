import { backendEnvironment, processEnvironment, readEnvironment } from "server/environment/environment.ts";
import { readSecrets } from "server/environment/secrets.ts";
import { StartError } from "server/start-error.ts";
import { z } from "zod";

/** The address on which the server of this environment listens, without a trailing slash. */
export function serverAddress(): string {
  const { HOST, PORT } = readEnvironment(processEnvironment, process.env);
  return `http://${HOST.includes(":") ? `[${HOST}]` : HOST}:${PORT}`;
}

/** The address under which people reach the installation, without a trailing slash. */
export function publicAddress(): string {
  const { SITE_URL } = readEnvironment(processEnvironment, process.env);
  return (SITE_URL ?? serverAddress()).replace(/\/$/, "");
}

/** The secret key of the installation. Fails with a `StartError` if there is none. */
export async function secretKey(): Promise<string> {
  const env = readEnvironment(backendEnvironment, process.env);
  if (env.SECRET_KEY !== undefined) return env.SECRET_KEY;
  return (await readSecrets(env)).secretKey;
}

/** Sends a request with the secret key; the body is sent as JSON. Fails with a `StartError` if no server answers. */
export async function callServer(url: string, method: "GET" | "POST" | "DELETE", body?: Record<string, unknown>): Promise<Response> {
  const headers = { apikey: await secretKey(), "Content-Type": "application/json" };
  return fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) }).catch(() => {
    throw new StartError(`No server answers at ${new URL(url).origin}. Start it first, with the same environment.`);
  });
}

/** Calls a function of the project's database with the rights of the service. Fails with a `StartError`. */
export async function callDatabase(name: string, values: Record<string, unknown>): Promise<unknown> {
  const response = await callServer(`${serverAddress()}/rest/v1/rpc/${name}`, "POST", values);
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok) return answer;
  const { message } = z.object({ message: z.string() }).safeParse(answer).data ?? { message: response.statusText };
  throw new StartError(`The server refused: ${message} (${response.status})`);
}
