import { readEnvironment } from "server/environment/environment.ts";
import { siteEnvironment } from "server/environment/site-environment.ts";
import { StartError } from "server/start-error.ts";
import { z } from "zod";
import { callServer, publicAddress, serverAddress } from "../running-server.ts";

const linkSchema = z.object({
  id: z.string(),
  hashed_token: z.string(),
  verification_type: z.string(),
  factors: z.array(z.object({ id: z.string() })).default([]),
});

/**
 * Makes a link with which the owner of an account chooses a new password. Calls the running server, because only one process can
 * open the embedded database. Fails with a `StartError`.
 */
export async function resetPassword(email: string, { removeSecondFactor = false }: { removeSecondFactor?: boolean }): Promise<string> {
  const { SUPABASE_URL } = readEnvironment(siteEnvironment, process.env);
  const server = SUPABASE_URL ?? serverAddress();
  const link = linkSchema.parse(await callAdmin(server, "POST", "/admin/generate_link", { type: "recovery", email }));
  if (removeSecondFactor) for (const { id } of link.factors) await callAdmin(server, "DELETE", `/admin/users/${link.id}/factors/${id}`);
  const hash = new URLSearchParams({ token_hash: link.hashed_token, type: link.verification_type });
  return `${publicAddress()}/admin/password#${hash}`;
}

/** Calls the admin API of the auth service. Fails with a `StartError`. */
async function callAdmin(server: string, method: "POST" | "DELETE", path: string, body?: Record<string, string>): Promise<unknown> {
  const response = await callServer(`${server}/auth/v1${path}`, method, body);
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok) return answer;
  const { msg } = z.object({ msg: z.string() }).safeParse(answer).data ?? { msg: response.statusText };
  throw new StartError(`The server at ${server} refused: ${msg} (${response.status})`);
}
