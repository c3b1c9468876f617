import { z } from "zod";
import { readJson } from "../../../body/read-json.ts";
import { requireManualLinking } from "../../accounts/unlink-identity.ts";
import { audit } from "../../audit.ts";
import { requireCaller } from "../../bearer.ts";
import { flag, text } from "../../body-fields.ts";
import type { Call } from "../../context.ts";
import { accountOf, linkIdentity } from "../../external/accounts.ts";
import { profileOfClaims } from "../../external/profile.ts";
import { providerDisabled } from "../../external/providers.ts";
import { json } from "../../responses.ts";
import { openSession } from "../../tokens/sessions.ts";
import { tokenResponse } from "../../tokens/token-response.ts";
import { OAuthError, verifyIdToken } from "./id-token.ts";

const bodySchema = z.object({
  provider: text,
  client_id: text,
  issuer: text,
  id_token: text,
  access_token: text,
  nonce: text,
  link_identity: flag,
});

/** Signs in the person that an id token is about, or adds the identity to the caller's account. */
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

async function exchange(call: Call, body: z.infer<typeof bodySchema>): Promise<Response> {
  const { database, providers } = call.auth;
  if (body.id_token === "") throw new OAuthError("invalid request", "id_token required");
  if (body.provider === "" && (body.client_id === "" || body.issuer === ""))
    throw new OAuthError("invalid request", "provider or client_id and issuer required");
  if (body.link_identity) requireManualLinking(call);
  const caller = body.link_identity ? await requireCaller(call) : undefined;
  const provider = body.provider === "" ? providers.findByIssuer(body.issuer) : providers.find(body.provider);
  if (!provider?.enabled) throw providerDisabled(providers, body);
  const claims = await verifyIdToken(provider, body.id_token, { accessToken: body.access_token, nonce: body.nonce });
  const profile = profileOfClaims(provider.name, claims);
  const grant = await database.transaction(async (tx) => {
    const user = caller
      ? await linkIdentity(tx, call, caller.user.id, profile)
      : await accountOf(tx, call, profile, { emailOptional: provider.emailOptional });
    return openSession(tx, call, user.id, "oauth");
  });
  return tokenResponse(call.auth, grant);
}
