import { z } from "zod";
import type { Transaction } from "../../db/database.ts";
import { uuid } from "../../uuid.ts";
import { audit } from "../audit.ts";
import type { CodeChallenge } from "../codes/flow-state.ts";
import type { AuthContext, Call } from "../context.ts";
import { AuthError, errorFields } from "../errors.ts";
import { redirect } from "../responses.ts";
import { openSession } from "../tokens/sessions.ts";
import type { FlowResult } from "../tokens/token-response.ts";

/** A sign-in that a browser started here and finishes at an identity provider. */
interface ExternalFlow {
  method: "oauth" | "sso/saml";
  /** The name of an OpenID Connect provider, or the id of a SAML provider. */
  provider: string;
  /** The page that receives the result. */
  target: string;
  /** The PKCE challenge of the client; without one the result is a session and not a code. */
  challenge: CodeChallenge | undefined;
  /** The account that gets another identity. */
  linkTo?: string | undefined;
  /** The value that the answer must prove and that is used once: our PKCE verifier, or the id of a SAML request. */
  verifier: string;
}

const START = `with client_state as (
    insert into auth.oauth_client_states (id, provider_type, code_verifier, created_at) values ($2, $3, $4, now())
  )
  insert into auth.flow_state (id, oauth_client_state_id, provider_type, authentication_method, referrer, linking_target_id,
    auth_code, code_challenge, code_challenge_method, created_at, updated_at)
  values ($1, $2, $3, $9, $5, $6::text::uuid, case when $7::text is not null then gen_random_uuid()::text end, $7,
    $8::text::auth.code_challenge_method, now(), now())`;

/** Stores a flow and returns its id, which the browser carries as `state` (OAuth) or `RelayState` (SAML). */
export async function startExternalFlow(tx: Transaction, flow: ExternalFlow): Promise<string> {
  const id = crypto.randomUUID();
  await tx.query(START, [
    id,
    crypto.randomUUID(),
    flow.provider,
    flow.verifier,
    flow.target,
    flow.linkTo ?? null,
    flow.challenge?.challenge ?? null,
    flow.challenge?.method ?? null,
    flow.method,
  ]);
  return id;
}

const flowSchema = z.object({
  id: z.string(),
  provider: z.string(),
  target: z.string(),
  linkTo: z.string().nullable(),
  pkce: z.boolean(),
  verifier: z.string(),
  /** False more than five minutes after the start. */
  fresh: z.boolean(),
});

/** A flow whose answer arrived. */
export type AnsweredFlow = z.infer<typeof flowSchema>;

const TAKE = `with client_state as (
    delete from auth.oauth_client_states s using auth.flow_state f
    where f.id = $1::text::uuid and f.authentication_method = $2 and s.id = f.oauth_client_state_id
    returning s.code_verifier, s.created_at + interval '5 minutes' > now() as fresh
  )
  select f.id, f.provider_type as provider, f.referrer as target, f.linking_target_id as "linkTo",
    f.code_challenge is not null as pkce, client_state.code_verifier as verifier, client_state.fresh
  from auth.flow_state f, client_state where f.id = $1::text::uuid`;

/** Finds a flow by its id. Succeeds once per flow, so that an answer cannot be replayed. */
export async function takeExternalFlow(tx: Transaction, method: ExternalFlow["method"], id: string): Promise<AnsweredFlow | undefined> {
  if (!uuid.safeParse(id).success) return undefined;
  const [row] = await tx.query(TAKE, [id, method]);
  return row && flowSchema.parse(row);
}

/** Runs the end of a flow. An `AuthError` deletes the flow, is written into the audit log and is reported to the target page. */
export async function reportingFailure(
  call: Call,
  flow: AnsweredFlow | undefined,
  traits: Record<string, string | null>,
  work: () => Promise<Response>,
): Promise<Response> {
  const { database, redirects } = call.auth;
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    await database.transaction(async (tx) => {
      if (flow) await endExternalFlow(tx, flow);
      await audit(tx, call, "login_failed", "unknown", traits);
    });
    const fields = errorFields(error);
    return redirect(flow?.target ?? redirects.siteUrl, flow?.pkce ? { query: fields } : { fragment: { ...fields, sb: "" } });
  }
}

/** Deletes a flow that issues no code. */
async function endExternalFlow(tx: Transaction, flow: AnsweredFlow): Promise<void> {
  await tx.query("delete from auth.flow_state where id = $1", [flow.id]);
}

const ISSUE_CODE = `update auth.flow_state set user_id = $2, provider_access_token = $3, provider_refresh_token = $4, session_not_after = $5,
    auth_code_issued_at = now(), updated_at = now()
  where id = $1 returning auth_code`;

/** The tokens of an OpenID Connect provider. */
export interface ProviderTokens {
  access: string | null;
  refresh: string | null;
}

interface ExternalSignIn {
  userId: string;
  method: ExternalFlow["method"];
  tokens?: ProviderTokens;
  /** The end of the session, if the provider sets one. */
  notAfter?: Date | null;
}

/** Signs an account in: opens a session, or with PKCE issues the code that the client exchanges for a session. */
export async function finishExternalFlow(
  tx: Transaction,
  call: Call,
  flow: AnsweredFlow,
  { userId, method, tokens, notAfter = null }: ExternalSignIn,
): Promise<FlowResult> {
  if (!flow.pkce) {
    await endExternalFlow(tx, flow);
    return openSession(tx, call, userId, method, notAfter);
  }
  const values = [flow.id, userId, tokens?.access ?? null, tokens?.refresh ?? null, notAfter];
  const [row] = await tx.query<{ auth_code: string }>(ISSUE_CODE, values);
  if (!row) throw new Error("The flow was deleted before its code was issued");
  return { code: row.auth_code };
}

/** Redirects to the site with the error of an unknown or expired OAuth flow. */
export function unknownOAuthState({ redirects }: AuthContext): Response {
  const fields = errorFields(new AuthError(400, "bad_oauth_state", "OAuth state not found or expired"));
  return redirect(redirects.siteUrl, { query: fields, fragment: { ...fields, sb: "" } });
}
