import type { Transaction } from "../../../db/database.ts";
import { readBytes } from "../../../read-bytes.ts";
import { audit } from "../../audit.ts";
import type { Call } from "../../context.ts";
import { AuthError, errorFields } from "../../errors.ts";
import { accountOf } from "../../accounts/external-accounts.ts";
import { issueOAuthCode } from "../oidc/oauth-flows.ts";
import { redirect } from "../../responses.ts";
import { type Grant, openSession } from "../../tokens/sessions.ts";
import { tokenFields } from "../../tokens/token-response.ts";
import { type Assertion, readAssertion } from "./assertion.ts";
import { findSsoProvider } from "./providers.ts";
import { type AnsweredSsoFlow, takeSsoFlow } from "./relay-states.ts";
import { requireSaml } from "./saml.ts";

const LONGEST_FORM = 1024 * 1024;

/** `POST sso/saml/acs`: what an identity provider answers by the browser. The page the flow leads to is told the outcome. */
export async function samlAcs(call: Call): Promise<Response> {
  const { auth } = call;
  requireSaml(auth);
  const bytes = await readBytes(call.request, LONGEST_FORM);
  if (!bytes) throw new AuthError(413, "request_entity_too_large", "Request body is larger than 1 MiB");
  const form = new URLSearchParams(new TextDecoder().decode(bytes));
  const flow = await auth.database.transaction((tx) => takeSsoFlow(tx, form.get("RelayState") ?? ""));
  const target = flow?.redirect_to ?? auth.redirects.siteUrl;
  try {
    return await finish(call, target, requireFresh(flow), form.get("SAMLResponse") ?? "");
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    await auth.database.transaction((tx) => audit(tx, call, "login_failed", "unknown", { sso_provider: flow?.sso_provider_id ?? null }));
    const failure = errorFields(error);
    return redirect(target, flow?.flow_state_id ? { query: failure } : { fragment: { ...failure, sb: "" } });
  }
}

/** An answer that nobody here has asked for is nobody's sign-in, be it the identity provider's own idea or a replay. */
function requireFresh(flow: AnsweredSsoFlow | undefined): AnsweredSsoFlow {
  if (!flow) throw new AuthError(404, "saml_relay_state_not_found", "SAML RelayState does not exist, try logging in again?");
  if (!flow.fresh) throw new AuthError(422, "saml_relay_state_expired", "SAML RelayState has expired. Try logging in again?");
  return flow;
}

async function finish(call: Call, target: string, flow: AnsweredSsoFlow, response: string): Promise<Response> {
  const { auth } = call;
  const provider = await auth.database.transaction((tx) => findSsoProvider(tx, flow.sso_provider_id), { readOnly: true });
  if (!provider || provider.disabled) throw new AuthError(404, "sso_provider_not_found", "No such SSO provider");
  const assertion = await readAssertion(auth, provider, response, flow.request_id);
  const outcome = await auth.database.transaction((tx) => signIn(tx, call, flow, assertion));
  if (typeof outcome === "string") return redirect(target, { query: { code: outcome } });
  const { access_token, token_type, expires_in, expires_at, refresh_token } = await tokenFields(auth, outcome);
  return redirect(target, { fragment: { access_token, expires_at, expires_in, refresh_token, token_type, sb: "" } });
}

async function signIn(tx: Transaction, call: Call, flow: AnsweredSsoFlow, { vouched, notAfter }: Assertion): Promise<Grant | string> {
  const user = await accountOf(tx, call, vouched, { sso: true });
  if (flow.flow_state_id) return issueOAuthCode(tx, flow.flow_state_id, user.id, { access: null, refresh: null });
  const grant = await openSession(tx, call, user.id, "sso/saml");
  if (notAfter) await tx.query("update auth.sessions set not_after = $2 where id = $1", [grant.session.id, notAfter]);
  return grant;
}
