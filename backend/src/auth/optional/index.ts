import { z } from "zod";
import { requireManualLinking } from "../accounts/unlink-identity.ts";
import type { Caller } from "../bearer.ts";
import { text } from "../body-fields.ts";
import type { Call } from "../context.ts";
import { AuthError, validationFailed } from "../errors.ts";
import { unknownOAuthState } from "../external/flows.ts";
import { type Provider, providerDisabled } from "../external/providers.ts";
import { readJson } from "../../body/read-json.ts";
import type * as Saml from "./saml/index.ts";

// Endpoints of optional modules. A module is imported by the first request after config.toml switches it on.

/** Returns an endpoint of the SAML module. Fails with a 404 while `[auth.sso]` is off. */
export function saml(name: keyof typeof Saml): (call: Call) => Promise<Response> {
  return async (call) => {
    if (!call.auth.settings.sso.enabled) throw new AuthError(404, "saml_provider_disabled", "SAML 2.0 is disabled");
    const module = await import("./saml/index.ts");
    return module[name](call);
  };
}

/** `GET authorize?provider=`: redirects a browser to the sign-in page of an OpenID Connect provider. */
export async function authorize(call: Call): Promise<Response> {
  const provider = requireProvider(call);
  const module = await import("./oidc/index.ts");
  return module.authorize(call, provider);
}

/** `GET user/identities/authorize?provider=`: starts a sign-in that adds an identity to the caller's account. */
export async function authorizeLink(call: Call, { user }: Caller): Promise<Response> {
  requireManualLinking(call);
  const provider = requireProvider(call);
  const module = await import("./oidc/index.ts");
  return module.authorizeLink(call, provider, user.id);
}

/** `GET callback`, or `POST` with a form: receives the answer of a provider. */
export async function callback(call: Call): Promise<Response> {
  if (!call.auth.providers.anyEnabled) return unknownOAuthState(call.auth);
  const module = await import("./oidc/index.ts");
  return module.callback(call);
}

const providerFields = z.object({ provider: text, issuer: text });

/** `POST token?grant_type=id_token`: signs in the person that an id token is about. */
export async function idTokenGrant(call: Call): Promise<Response> {
  if (!call.auth.providers.anyEnabled) throw providerDisabled(call.auth.providers, await readJson(call.request, providerFields));
  const module = await import("./oidc/index.ts");
  return module.idTokenGrant(call);
}

function requireProvider({ auth, request }: Call): Provider {
  const name = new URL(request.url).searchParams.get("provider") ?? "";
  const provider = auth.providers.find(name);
  if (!provider) throw validationFailed(`Unsupported provider: Provider ${name} could not be found`);
  if (!provider.enabled) throw validationFailed("Unsupported provider: provider is not enabled");
  return provider;
}
