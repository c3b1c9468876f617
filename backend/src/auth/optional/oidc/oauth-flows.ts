import { createHash } from "node:crypto";
import { z } from "zod";
import type { Transaction } from "../../../db/database.ts";
import type { CodeChallenge } from "../../codes/flow-state.ts";

/** A sign-in at a provider, begun here. */
export interface OAuthFlow {
  provider: string;
  /** Where it leads in the end. */
  target: string;
  /** The client's half of PKCE; without it the session is handed over at once. */
  challenge: CodeChallenge | undefined;
  /** The account that wants one more identity. */
  linkTo: string | undefined;
}

const START = `with secret as (
    insert into auth.oauth_client_states (id, provider_type, code_verifier, created_at) values ($2, $3, $4, now())
  )
  insert into auth.flow_state (id, oauth_client_state_id, provider_type, authentication_method, referrer, linking_target_id,
    auth_code, code_challenge, code_challenge_method, created_at, updated_at)
  values ($1, $2, $3, 'oauth', $5, $6::text::uuid, case when $7::text is not null then gen_random_uuid()::text end, $7,
    $8::text::auth.code_challenge_method, now(), now())`;

/** Remembers a flow and returns its `state`; `verifier` is our half of PKCE with the provider. */
export async function startOAuthFlow(tx: Transaction, flow: OAuthFlow, verifier: string): Promise<string> {
  const { provider, target, challenge, linkTo } = flow;
  const state = crypto.randomUUID();
  await tx.query(START, [
    state,
    crypto.randomUUID(),
    provider,
    verifier,
    target,
    linkTo ?? null,
    challenge?.challenge ?? null,
    challenge?.method ?? null,
  ]);
  return state;
}

const uuid = z.guid();
const flowSchema = z.object({
  id: z.string(),
  provider_type: z.string(),
  referrer: z.string(),
  linking_target_id: z.string().nullable(),
  pkce: z.boolean(),
  code_verifier: z.string(),
});

/** A flow whose answer has come. */
export type AnsweredFlow = z.infer<typeof flowSchema>;

const TAKE = `with secret as (
    delete from auth.oauth_client_states s using auth.flow_state f
    where f.id = $1::text::uuid and s.id = f.oauth_client_state_id and s.created_at > now() - interval '5 minutes'
    returning s.code_verifier
  )
  select f.id, f.provider_type, f.referrer, f.linking_target_id, f.code_challenge is not null as pkce, secret.code_verifier
  from auth.flow_state f, secret where f.id = $1::text::uuid`;

/** Finds the flow of a `state`, once and within five minutes. */
export async function takeOAuthFlow(tx: Transaction, state: string): Promise<AnsweredFlow | undefined> {
  if (!uuid.safeParse(state).success) return undefined;
  const [row] = await tx.query(TAKE, [state]);
  return row && flowSchema.parse(row);
}

const ISSUE = `update auth.flow_state set user_id = $2, provider_access_token = $3, provider_refresh_token = $4,
    auth_code_issued_at = now(), updated_at = now()
  where id = $1 returning auth_code`;

/** Issues the code a client exchanges for the session and the provider's tokens. */
export async function issueOAuthCode(
  tx: Transaction,
  flowId: string,
  userId: string,
  tokens: { access: string | null; refresh: string | null },
): Promise<string> {
  const [row] = await tx.query<{ auth_code: string }>(ISSUE, [flowId, userId, tokens.access, tokens.refresh]);
  if (!row) throw new Error("A flow vanished before its code was issued");
  return row.auth_code;
}

/** Forgets a flow that needs no code. */
export async function endOAuthFlow(tx: Transaction, flowId: string): Promise<void> {
  await tx.query("delete from auth.flow_state where id = $1", [flowId]);
}

/** The nonce of a flow, from which its verifier cannot be told. */
export function nonceOf(verifier: string): string {
  return createHash("sha256").update(`nonce ${verifier}`).digest("base64url");
}
