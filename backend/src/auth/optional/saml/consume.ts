import { readBytes } from "../../../body/read-bytes.ts";
import type { Call } from "../../context.ts";
import { AuthError } from "../../errors.ts";
import { accountOf } from "../../external/accounts.ts";
import { finishExternalFlow, reportingFailure, takeExternalFlow, type AnsweredFlow } from "../../external/flows.ts";
import { redirectWithResult } from "../../tokens/token-response.ts";
import { readAssertion } from "./assertion.ts";
import { findSsoProvider } from "./providers.ts";

const MAX_FORM_BYTES = 1024 * 1024;

/** `POST sso/saml/acs`: finishes a sign-in with the response of an identity provider, which the browser posts. */
export async function consumeAssertion(call: Call): Promise<Response> {
  const { auth } = call;
  const bytes = await readBytes(call.request, MAX_FORM_BYTES);
  if (!bytes) throw new AuthError(413, "request_entity_too_large", "Request body is larger than 1 MiB");
  const form = new URLSearchParams(new TextDecoder().decode(bytes));
  const flow = await auth.database.transaction((tx) => takeExternalFlow(tx, "sso/saml", form.get("RelayState") ?? ""));
  return reportingFailure(call, flow, { sso_provider: flow?.provider ?? null }, () =>
    finish(call, requireFresh(flow), form.get("SAMLResponse") ?? ""),
  );
}

/** Refuses a response that answers none of our requests: it is unsolicited or replayed. */
function requireFresh(flow: AnsweredFlow | undefined): AnsweredFlow {
  if (!flow) throw new AuthError(404, "saml_relay_state_not_found", "SAML RelayState does not exist, try logging in again?");
  if (!flow.fresh) throw new AuthError(422, "saml_relay_state_expired", "SAML RelayState has expired. Try logging in again?");
  return flow;
}

async function finish(call: Call, flow: AnsweredFlow, response: string): Promise<Response> {
  const { auth } = call;
  const provider = await auth.database.transaction((tx) => findSsoProvider(tx, flow.provider), { readOnly: true });
  if (!provider || provider.disabled) throw new AuthError(404, "sso_provider_not_found", "No such SSO provider");
  const { profile, notAfter } = await readAssertion(auth, provider, response, flow.verifier);
  const result = await auth.database.transaction(async (tx) => {
    const user = await accountOf(tx, call, profile, { sso: true });
    return finishExternalFlow(tx, call, flow, { userId: user.id, method: "sso/saml", notAfter });
  });
  return redirectWithResult(auth, flow.target, result);
}
