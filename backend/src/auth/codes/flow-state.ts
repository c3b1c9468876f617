import { createHash, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { Transaction } from "../../db/database.ts";
import { text } from "../body-fields.ts";
import { AuthError, validationFailed } from "../errors.ts";
import { FLOW_METHODS } from "../tokens/sessions.ts";

/** The PKCE fields of a body, both or none. */
export const challengeFields = { code_challenge: text, code_challenge_method: text };

/** The code challenge of a client (RFC 7636). */
export interface CodeChallenge {
  challenge: string;
  method: "s256" | "plain";
}

/** Reads the PKCE fields of a request. Fails with a 400. */
export function readChallenge(fields: { code_challenge: string; code_challenge_method: string }): CodeChallenge | undefined {
  const { code_challenge: challenge, code_challenge_method: given } = fields;
  if (challenge === "" && given === "") return undefined;
  if (challenge === "" || given === "") throw validationFailed("PKCE flow requires code_challenge_method and code_challenge");
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(challenge))
    throw validationFailed("code challenge has to be 43 to 128 characters of A-Z, a-z, 0-9, -, ., _ and ~");
  const method = given.toLowerCase();
  if (method !== "s256" && method !== "plain") throw validationFailed("Invalid code_challenge_method: only s256 and plain are known");
  return { challenge, method };
}

const START = `insert into auth.flow_state (id, user_id, auth_code, code_challenge, code_challenge_method, provider_type,
    authentication_method, created_at, updated_at)
  values (gen_random_uuid(), $1, gen_random_uuid()::text, $2, $3::text::auth.code_challenge_method, 'email', $4, now(), now())`;

/** Stores a flow that starts with a mailed link of a type. */
export async function startFlow(tx: Transaction, userId: string, { challenge, method }: CodeChallenge, linkType: string): Promise<void> {
  await tx.query(START, [userId, challenge, method, methodOf(linkType)]);
}

/** Returns the authentication method of a session that results from a mailed link. */
function methodOf(linkType: string): string {
  return linkType === "signup" ? "email/signup" : linkType;
}

const ISSUE = `update auth.flow_state set auth_code_issued_at = now(), updated_at = now() where id = (
    select id from auth.flow_state where user_id = $1 and provider_type = 'email' and auth_code_issued_at is null
      and authentication_method = $2
    order by created_at desc limit 1 for update)
  returning auth_code`;

/** Issues the code of the account's latest flow with a link of this type. Fails with a 404 without such a flow. */
export async function issueAuthCode(tx: Transaction, userId: string, linkType: string): Promise<string> {
  const [row] = await tx.query<{ auth_code: string }>(ISSUE, [userId, methodOf(linkType)]);
  if (!row) throw flowNotFound();
  return row.auth_code;
}

const flowSchema = z.object({
  user_id: z.string().nullable(),
  code_challenge: z.string(),
  code_challenge_method: z.enum(["s256", "plain"]),
  authentication_method: z.enum(FLOW_METHODS),
  provider_access_token: z.string().nullable(),
  provider_refresh_token: z.string().nullable(),
  session_not_after: z.date().nullable(),
  fresh: z.boolean(),
});

/** A flow whose code was just used; its row is deleted. */
type SpentFlow = z.infer<typeof flowSchema>;

const SPEND = `delete from auth.flow_state where auth_code = $1 and auth_code_issued_at is not null
  returning user_id, code_challenge, code_challenge_method::text, authentication_method, provider_access_token, provider_refresh_token,
    session_not_after, auth_code_issued_at + interval '5 minutes' > now() as fresh`;

/** Uses up an auth code. Returns an error instead of throwing it, so that the deletion is committed. */
export async function spendAuthCode(tx: Transaction, authCode: string, verifier: string): Promise<SpentFlow | AuthError> {
  const [row] = await tx.query(SPEND, [authCode]);
  if (!row) return flowNotFound();
  const flow = flowSchema.parse(row);
  if (!flow.fresh) return new AuthError(422, "flow_state_expired", "invalid flow state, flow state has expired");
  if (!matches(flow, verifier))
    return new AuthError(400, "bad_code_verifier", "code challenge does not match previously saved code verifier");
  return flow;
}

function flowNotFound(): AuthError {
  return new AuthError(404, "flow_state_not_found", "invalid flow state, no valid flow state found");
}

function matches({ code_challenge: challenge, code_challenge_method: method }: SpentFlow, verifier: string): boolean {
  const made = Buffer.from(method === "plain" ? verifier : createHash("sha256").update(verifier).digest("base64url"));
  const stored = Buffer.from(challenge);
  return made.length === stored.length && timingSafeEqual(made, stored);
}
