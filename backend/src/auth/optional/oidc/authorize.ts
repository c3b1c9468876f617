import * as client from "openid-client";
import type { Call } from "../../context.ts";
import { validationFailed } from "../../errors.ts";
import { readChallenge } from "../../codes/flow-state.ts";
import { redirectTarget } from "../../redirect-allow-list.ts";
import { nonceOf, startOAuthFlow } from "./oauth-flows.ts";
import type { Provider } from "./providers.ts";

/** `GET authorize?provider=`: sends a browser to sign in at a provider. */
export async function authorize(call: Call): Promise<Response> {
  return redirect(await authorizationUrl(call, undefined));
}

/** Begins a flow at the provider a request names and returns its address there; `linkTo` is who wants one more identity. */
export async function authorizationUrl(call: Call, linkTo: string | undefined): Promise<URL> {
  const { searchParams: query } = new URL(call.request.url);
  const provider = requireProvider(call, query.get("provider") ?? "");
  const challenge = readChallenge({
    code_challenge: query.get("code_challenge") ?? "",
    code_challenge_method: query.get("code_challenge_method") ?? "",
  });
  const { configuration } = await provider.connect();
  const verifier = client.randomPKCECodeVerifier();
  const flow = { provider: provider.name, target: redirectTarget(call), challenge, linkTo };
  const state = await call.auth.database.transaction((tx) => startOAuthFlow(tx, flow, verifier));
  return client.buildAuthorizationUrl(configuration, {
    ...passedOn(query),
    ...(provider.name === "apple" && { response_mode: "form_post" }),
    redirect_uri: provider.redirectUri,
    scope: scopesOf(provider, query.get("scopes") ?? ""),
    state,
    nonce: nonceOf(verifier),
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  });
}

/** Answers with a redirect that no cache keeps. */
export function redirect(url: URL): Response {
  return new Response(null, { status: 302, headers: { Location: url.href, "Cache-Control": "no-store" } });
}

function requireProvider({ auth }: Call, name: string): Provider {
  const provider = auth.providers.find(name);
  if (!provider) throw validationFailed(`Unsupported provider: Provider ${name} could not be found`);
  if (!provider.enabled) throw validationFailed("Unsupported provider: provider is not enabled");
  return provider;
}

/** What a client may say to the provider through us: nothing that the flow's safety rests on. */
const PASSED_ON = new Set(["access_type", "acr_values", "display", "domain_hint", "hd", "login_hint", "max_age", "prompt", "ui_locales"]);

function passedOn(query: URLSearchParams): Record<string, string> {
  return Object.fromEntries([...query].filter(([name]) => PASSED_ON.has(name)));
}

function scopesOf({ name }: Provider, asked: string): string {
  const needed = ["openid", "email", name === "apple" ? "name" : "profile"];
  return [...new Set([...needed, ...asked.split(/[\s,]+/).filter(Boolean)])].join(" ");
}
