import { createHash } from "node:crypto";
import * as client from "openid-client";
import { readChallenge } from "../../codes/flow-state.ts";
import type { Call } from "../../context.ts";
import { startExternalFlow } from "../../external/flows.ts";
import type { Provider } from "../../external/providers.ts";
import { redirectTarget } from "../../redirect-allow-list.ts";
import { json, redirect } from "../../responses.ts";

/** Redirects a browser to sign in at a provider. */
export async function authorize(call: Call, provider: Provider): Promise<Response> {
  return redirect(await authorizationUrl(call, provider), { status: 302 });
}

/** Starts a sign-in that adds an identity to an account; answers with a redirect or with its address as JSON. */
export async function authorizeLink(call: Call, provider: Provider, userId: string): Promise<Response> {
  const url = await authorizationUrl(call, provider, userId);
  const asJson = new URL(call.request.url).searchParams.get("skip_http_redirect") === "true";
  return asJson ? json({ url: url.href }) : redirect(url, { status: 302 });
}

/** Returns the nonce of a flow. It is derived from the PKCE verifier and does not reveal it. */
export function nonceOf(verifier: string): string {
  return createHash("sha256").update(`nonce ${verifier}`).digest("base64url");
}

async function authorizationUrl(call: Call, provider: Provider, linkTo?: string): Promise<URL> {
  const { searchParams: query } = new URL(call.request.url);
  const challenge = readChallenge({
    code_challenge: query.get("code_challenge") ?? "",
    code_challenge_method: query.get("code_challenge_method") ?? "",
  });
  const { configuration } = await provider.connect();
  const verifier = client.randomPKCECodeVerifier();
  const flow = { method: "oauth", provider: provider.name, target: redirectTarget(call), challenge, linkTo, verifier } as const;
  const state = await call.auth.database.transaction((tx) => startExternalFlow(tx, flow));
  return client.buildAuthorizationUrl(configuration, {
    ...Object.fromEntries([...query].filter(([name]) => FORWARDED.has(name))),
    ...(provider.name === "apple" && { response_mode: "form_post" }),
    redirect_uri: provider.redirectUri,
    scope: scopesOf(provider, query.get("scopes") ?? ""),
    state,
    nonce: nonceOf(verifier),
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  });
}

/** The parameters that a client may pass to the provider. None of them affects the security of the flow. */
const FORWARDED = new Set(["access_type", "acr_values", "display", "domain_hint", "hd", "login_hint", "max_age", "prompt", "ui_locales"]);

function scopesOf({ name }: Provider, requested: string): string {
  const needed = ["openid", "email", name === "apple" ? "name" : "profile"];
  return [...new Set([...needed, ...requested.split(/[\s,]+/).filter(Boolean)])].join(" ");
}
