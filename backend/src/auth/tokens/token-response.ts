import { AUDIENCE, type AuthContext } from "../context.ts";
import type { Weakness } from "../accounts/password-policy.ts";
import { json, redirect } from "../responses.ts";
import type { Grant } from "./sessions.ts";
import { userJson } from "../accounts/users.ts";

const SECOND_FACTORS = new Set(["totp", "mfa/phone", "mfa/webauthn"]);

/** Additional fields of a token response. */
interface Extra {
  weak_password?: Weakness | null;
  provider_token?: string;
  provider_refresh_token?: string;
}

/** Returns the response of a sign-in or refresh. Call it after the commit, because signing takes time. */
export async function tokenResponse(auth: AuthContext, grant: Grant, extra: Extra = {}): Promise<Response> {
  const body = { ...(await tokenFields(auth, grant)), user: userJson(grant.user), ...extra };
  return json(body, { headers: { "sb-auth-user-id": grant.user.id, "sb-auth-session-id": grant.session.id } });
}

/** The result of a flow in a browser: a session, or with PKCE the code that the client exchanges for one. */
export type FlowResult = Grant | { code: string };

/** Redirects a browser to the target of a flow with its result. */
export async function redirectWithResult(
  auth: AuthContext,
  target: string,
  result: FlowResult,
  extra: Record<string, string> = {},
): Promise<Response> {
  if ("code" in result) return redirect(target, { query: result });
  return redirect(target, { fragment: { ...(await tokenFields(auth, result)), ...extra, sb: "" } });
}

/** Signs the access token of a grant. */
async function tokenFields(auth: AuthContext, { user, session, refreshToken }: Grant): Promise<Record<string, string | number>> {
  const issuedAt = Math.floor(Date.now() / 1000);
  const expiresIn = auth.settings.jwt_expiry;
  const accessToken = await auth.jwt.sign({
    iss: auth.issuer,
    sub: user.id,
    aud: AUDIENCE,
    exp: issuedAt + expiresIn,
    iat: issuedAt,
    email: user.email ?? "",
    phone: user.phone ?? "",
    app_metadata: user.raw_app_meta_data,
    user_metadata: user.raw_user_meta_data,
    role: user.role ?? AUDIENCE,
    aal: assuranceLevel(session.amr),
    amr: session.amr.map((entry) => (entry.method === "sso/saml" ? { ...entry, ...ssoProvider(user) } : entry)),
    session_id: session.id,
    is_anonymous: user.is_anonymous,
  });
  return {
    access_token: accessToken,
    token_type: "bearer",
    expires_in: expiresIn,
    expires_at: issuedAt + expiresIn,
    refresh_token: refreshToken,
  };
}

/** Returns the id of the SAML provider of a single sign-on account. */
function ssoProvider({ identities }: Grant["user"]): { provider?: string } {
  const named = identities.find(({ provider }) => provider.startsWith("sso:"))?.provider;
  return named === undefined ? {} : { provider: named.slice("sso:".length) };
}

/** Returns the assurance level of a session. */
export function assuranceLevel(amr: Grant["session"]["amr"]): "aal1" | "aal2" {
  return amr.some(({ method }) => SECOND_FACTORS.has(method)) ? "aal2" : "aal1";
}
