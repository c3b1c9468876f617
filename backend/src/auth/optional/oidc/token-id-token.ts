import { z } from "zod";
import { audit } from "../../audit.ts";
import { requireCaller } from "../../bearer.ts";
import { flag, text } from "../../body-fields.ts";
import { readJson } from "../../../read-json.ts";
import type { Call } from "../../context.ts";
import { AuthError, validationFailed } from "../../errors.ts";
import { json } from "../../responses.ts";
import { openSession } from "../../tokens/sessions.ts";
import { tokenResponse } from "../../tokens/token-response.ts";
import { accountOf, linkIdentity } from "../../accounts/external-accounts.ts";
import { OAuthError, verifyIdToken } from "./id-token.ts";
import type { Provider } from "./providers.ts";
import { requireManualLinking } from "../../accounts/manual-linking.ts";
import { type Vouched, vouchedByClaims } from "../../accounts/external-profile.ts";

const bodySchema = z.object({
  provider: text,
  client_id: text,
  issuer: text,
  id_token: text,
  access_token: text,
  nonce: text,
  link_identity: flag,
});

type Body = z.infer<typeof bodySchema>;

/** `POST token?grant_type=id_token`: signs in whom a provider's id token is about, or links them to the caller's account. */
export async function idTokenGrant(call: Call): Promise<Response> {
  const body = await readJson(call.request, bodySchema);
  try {
    return await exchange(call, body);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    await call.auth.database.transaction((tx) => audit(tx, call, "login_failed", "unknown", { grant: "id_token" }));
    return json({ error: error.error, error_description: error.message }, { status: 400 });
  }
}

async function exchange(call: Call, body: Body): Promise<Response> {
  if (body.id_token === "") throw new OAuthError("invalid request", "id_token required");
  if (body.provider === "" && (body.client_id === "" || body.issuer === ""))
    throw new OAuthError("invalid request", "provider or client_id and issuer required");
  if (body.link_identity) requireManualLinking(call);
  const caller = body.link_identity ? await requireCaller(call) : undefined;
  const provider = providerOf(call, body);
  const claims = await verifyIdToken(provider, body.id_token, { accessToken: body.access_token, nonce: body.nonce });
  const vouched = vouchedByClaims(provider.name, claims);
  return signIn(call, { vouched, emailOptional: provider.emailOptional, linkTo: caller?.user.id });
}

function providerOf({ auth }: Call, { provider: name, issuer }: Body): Provider {
  const provider = name === "" ? auth.providers.findByIssuer(issuer) : auth.providers.find(name);
  if (!provider) throw validationFailed(`Custom OIDC provider ${JSON.stringify(name || issuer)} not allowed`);
  if (!provider.enabled)
    throw new AuthError(400, "provider_disabled", `Provider (issuer ${JSON.stringify(provider.issuer)}) is not enabled`);
  return provider;
}

interface SignIn {
  vouched: Vouched;
  emailOptional: boolean;
  linkTo: string | undefined;
}

async function signIn(call: Call, { vouched, emailOptional, linkTo }: SignIn): Promise<Response> {
  const grant = await call.auth.database.transaction(async (tx) => {
    const user =
      linkTo === undefined ? await accountOf(tx, call, vouched, { emailOptional }) : await linkIdentity(tx, call, linkTo, vouched);
    return openSession(tx, call, user.id, "oauth");
  });
  return tokenResponse(call.auth, grant);
}
