import { z } from "zod";
import { readJson } from "../../../body/read-json.ts";
import { uuid } from "../../../uuid.ts";
import { flag, text } from "../../body-fields.ts";
import { challengeFields, readChallenge } from "../../codes/flow-state.ts";
import type { Call } from "../../context.ts";
import { AuthError, validationFailed } from "../../errors.ts";
import { startExternalFlow } from "../../external/flows.ts";
import { json, redirect } from "../../responses.ts";
import { findSsoProvider, findSsoProviderByDomain, type SsoProvider } from "./providers.ts";
import { samlOf } from "./service-provider.ts";

const bodySchema = z.object({ provider_id: text, domain: text, redirect_to: text, skip_http_redirect: flag, ...challengeFields });

/** `POST sso`: redirects a browser to sign in at the identity provider of its organisation. */
export async function startSso(call: Call): Promise<Response> {
  const { auth } = call;
  const body = await readJson(call.request, bodySchema);
  if (body.provider_id === "" && body.domain === "") throw validationFailed("A provider_id or domain needs to be provided");
  if (body.provider_id !== "" && body.domain !== "") throw validationFailed("Only one of provider_id or domain supported");
  const challenge = readChallenge(body);
  const provider = await findProvider(call, body);
  // An XML id cannot start with a digit.
  const requestId = `id-${crypto.randomUUID()}`;
  const target = (body.redirect_to && auth.redirects.allowed(body.redirect_to)) || auth.redirects.siteUrl;
  const flow = { method: "sso/saml", provider: provider.id, target, challenge, verifier: requestId } as const;
  const relayState = await auth.database.transaction((tx) => startExternalFlow(tx, flow));
  const url = await samlOf(auth, provider, requestId).getAuthorizeUrlAsync(relayState, undefined, {});
  return body.skip_http_redirect ? json({ url }) : redirect(url);
}

async function findProvider({ auth }: Call, { provider_id: id, domain }: z.infer<typeof bodySchema>): Promise<SsoProvider> {
  if (id !== "" && !uuid.safeParse(id).success) throw validationFailed("provider_id must be an UUID");
  const provider = await auth.database.transaction((tx) => (id === "" ? findSsoProviderByDomain(tx, domain) : findSsoProvider(tx, id)), {
    readOnly: true,
  });
  if (provider && !provider.disabled) return provider;
  const message = id === "" ? "No SSO provider assigned for this domain" : "No such SSO provider";
  throw new AuthError(404, "sso_provider_not_found", message);
}
