import * as client from "openid-client";
import { readBytes } from "../../../read-bytes.ts";
import type { Call } from "../../context.ts";
import { audit } from "../../audit.ts";
import { AuthError, errorFields } from "../../errors.ts";
import { redirect } from "../../responses.ts";
import { type Grant, openSession } from "../../tokens/sessions.ts";
import { tokenFields } from "../../tokens/token-response.ts";
import { accountOf, linkIdentity } from "../../accounts/external-accounts.ts";
import { type AnsweredFlow, endOAuthFlow, issueOAuthCode, nonceOf, takeOAuthFlow } from "./oauth-flows.ts";
import type { Provider } from "./providers.ts";
import { type Vouched, vouchedByClaims } from "../../accounts/external-profile.ts";

/** `GET callback`, or `POST` from a form: what a provider answers. Success and failure are told to the page the flow leads to. */
export async function callback(call: Call): Promise<Response> {
  const answer = await answerOf(call.request);
  const flow = await call.auth.database.transaction((tx) => takeOAuthFlow(tx, answer.get("state") ?? ""));
  if (!flow) {
    const failure = errorFields(new AuthError(400, "bad_oauth_state", "OAuth state not found or expired"));
    return redirect(call.auth.redirects.siteUrl, { query: failure, fragment: { ...failure, sb: "" } });
  }
  try {
    return await finish(call, flow, answer);
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    await call.auth.database.transaction(async (tx) => {
      await endOAuthFlow(tx, flow.id);
      await audit(tx, call, "login_failed", "unknown", { provider: flow.provider_type });
    });
    const failure = errorFields(error);
    return redirect(flow.referrer, flow.pkce ? { query: failure } : { fragment: { ...failure, sb: "" } });
  }
}

/** What a provider says of somebody, and its tokens. */
interface Answer {
  vouched: Vouched;
  tokens: { access: string | null; refresh: string | null };
}

async function finish(call: Call, flow: AnsweredFlow, parameters: URLSearchParams): Promise<Response> {
  const provider = call.auth.providers.find(flow.provider_type);
  if (!provider?.enabled) throw new AuthError(400, "provider_disabled", "The provider of this flow is not enabled any more");
  const answer = await exchange(call, provider, flow, parameters);
  const outcome = await call.auth.database.transaction(async (tx): Promise<Grant | string> => {
    const user = flow.linking_target_id
      ? await linkIdentity(tx, call, flow.linking_target_id, answer.vouched)
      : await accountOf(tx, call, answer.vouched, { emailOptional: provider.emailOptional });
    if (flow.pkce) return issueOAuthCode(tx, flow.id, user.id, answer.tokens);
    await endOAuthFlow(tx, flow.id);
    return openSession(tx, call, user.id, "oauth");
  });
  if (typeof outcome === "string") return redirect(flow.referrer, { query: { code: outcome } });
  const { access_token, token_type, expires_in, expires_at, refresh_token } = await tokenFields(call.auth, outcome);
  const { access, refresh } = answer.tokens;
  const theirs = { ...(access !== null && { provider_token: access }), ...(refresh !== null && { provider_refresh_token: refresh }) };
  return redirect(flow.referrer, { fragment: { access_token, expires_at, expires_in, ...theirs, refresh_token, token_type, sb: "" } });
}

/** Exchanges the provider's code, whose id token openid-client checks. Fails with an `AuthError`. */
async function exchange(call: Call, provider: Provider, flow: AnsweredFlow, parameters: URLSearchParams): Promise<Answer> {
  const { configuration } = await provider.connect();
  const url = new URL(provider.redirectUri);
  url.search = parameters.toString();
  try {
    const tokens = await client.authorizationCodeGrant(configuration, url, {
      expectedState: flow.id,
      expectedNonce: nonceOf(flow.code_verifier),
      pkceCodeVerifier: flow.code_verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims() ?? { sub: "" };
    const more = await userInfo(configuration, tokens.access_token, claims);
    const vouched = vouchedByClaims(provider.name, { ...more, ...claims });
    return { vouched, tokens: { access: tokens.access_token, refresh: tokens.refresh_token ?? null } };
  } catch (error) {
    throw refusal(call, provider, error);
  }
}

/** Some providers keep the address out of the id token. */
async function userInfo(
  configuration: client.Configuration,
  accessToken: string,
  claims: { sub: string; email?: unknown },
): Promise<object> {
  if (claims.email !== undefined || configuration.serverMetadata().userinfo_endpoint === undefined) return {};
  return client.fetchUserInfo(configuration, accessToken, claims.sub);
}

/** Turns what openid-client refuses into our own answer; anything else stays a fault. */
function refusal({ auth }: Call, { name }: Provider, error: unknown): unknown {
  if (error instanceof client.AuthorizationResponseError) {
    const status = error.error === "access_denied" ? 403 : 400;
    return new AuthError(status, "bad_oauth_callback", error.error_description ?? error.error);
  }
  if (!(error instanceof client.ClientError) && !(error instanceof client.ResponseBodyError)) return error;
  auth.log.warn({ provider: name, code: error.code }, "a provider's answer was refused");
  return new AuthError(500, "unexpected_failure", "Unable to exchange external code");
}

/** Apple answers by a form that the browser posts. */
async function answerOf(request: Request): Promise<URLSearchParams> {
  if (request.method === "GET") return new URL(request.url).searchParams;
  const bytes = await readBytes(request, LONGEST_FORM);
  return new URLSearchParams(new TextDecoder().decode(bytes ?? new Uint8Array()));
}

const LONGEST_FORM = 64 * 1024;
