import * as client from "openid-client";
import { readBytes } from "../../../body/read-bytes.ts";
import type { Call } from "../../context.ts";
import { AuthError } from "../../errors.ts";
import { accountOf, linkIdentity } from "../../external/accounts.ts";
import {
  finishExternalFlow,
  reportingFailure,
  takeExternalFlow,
  unknownOAuthState,
  type AnsweredFlow,
  type ProviderTokens,
} from "../../external/flows.ts";
import { profileOfClaims, type ExternalProfile } from "../../external/profile.ts";
import type { Provider } from "../../external/providers.ts";
import { redirectWithResult } from "../../tokens/token-response.ts";
import { nonceOf } from "./authorize.ts";

const MAX_FORM_BYTES = 64 * 1024;

/** Finishes a sign-in with the answer of a provider. Success and failure are reported to the target page of the flow. */
export async function callback(call: Call): Promise<Response> {
  const { database } = call.auth;
  const answer = await readAnswer(call.request);
  const flow = await database.transaction((tx) => takeExternalFlow(tx, "oauth", answer.get("state") ?? ""));
  if (!flow?.fresh) return unknownOAuthState(call.auth);
  return reportingFailure(call, flow, { provider: flow.provider }, () => finish(call, flow, answer));
}

async function finish(call: Call, flow: AnsweredFlow, answer: URLSearchParams): Promise<Response> {
  const provider = call.auth.providers.find(flow.provider);
  if (!provider?.enabled) throw new AuthError(400, "provider_disabled", "The provider of this flow is not enabled any more");
  const { profile, tokens } = await exchange(call, provider, flow, answer);
  const result = await call.auth.database.transaction(async (tx) => {
    const user = flow.linkTo
      ? await linkIdentity(tx, call, flow.linkTo, profile)
      : await accountOf(tx, call, profile, { emailOptional: provider.emailOptional });
    return finishExternalFlow(tx, call, flow, { userId: user.id, method: "oauth", tokens });
  });
  return redirectWithResult(call.auth, flow.target, result, {
    ...(tokens.access !== null && { provider_token: tokens.access }),
    ...(tokens.refresh !== null && { provider_refresh_token: tokens.refresh }),
  });
}

/** Exchanges the code of the provider for tokens; openid-client verifies the id token. Fails with an `AuthError`. */
async function exchange(
  call: Call,
  provider: Provider,
  flow: AnsweredFlow,
  answer: URLSearchParams,
): Promise<{ profile: ExternalProfile; tokens: ProviderTokens }> {
  const url = new URL(provider.redirectUri);
  url.search = answer.toString();
  try {
    const { configuration } = await provider.connect();
    const tokens = await client.authorizationCodeGrant(configuration, url, {
      expectedState: flow.id,
      expectedNonce: nonceOf(flow.verifier),
      pkceCodeVerifier: flow.verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims() ?? { sub: "" };
    const more = await userInfo(configuration, tokens.access_token, claims);
    const profile = profileOfClaims(provider.name, { ...more, ...claims });
    return { profile, tokens: { access: tokens.access_token, refresh: tokens.refresh_token ?? null } };
  } catch (error) {
    throw exchangeError(call, provider, error);
  }
}

/** Some providers put the email address into `userinfo` only. */
async function userInfo(
  configuration: client.Configuration,
  accessToken: string,
  claims: { sub: string; email?: unknown },
): Promise<object> {
  if (claims.email !== undefined || configuration.serverMetadata().userinfo_endpoint === undefined) return {};
  return client.fetchUserInfo(configuration, accessToken, claims.sub);
}

/** Converts an error of the exchange, for example of the network or of openid-client, into an `AuthError`. */
function exchangeError({ auth }: Call, { name }: Provider, error: unknown): AuthError {
  if (error instanceof client.AuthorizationResponseError) {
    const status = error.error === "access_denied" ? 403 : 400;
    return new AuthError(status, "bad_oauth_callback", error.error_description ?? error.error);
  }
  auth.log.warn({ provider: name, reason: String(error) }, "the exchange with an OpenID Connect provider failed");
  return new AuthError(500, "unexpected_failure", "Unable to exchange external code");
}

/** Apple sends its answer as a form that the browser posts. */
async function readAnswer(request: Request): Promise<URLSearchParams> {
  if (request.method === "GET") return new URL(request.url).searchParams;
  const bytes = await readBytes(request, MAX_FORM_BYTES);
  return new URLSearchParams(new TextDecoder().decode(bytes ?? new Uint8Array()));
}
