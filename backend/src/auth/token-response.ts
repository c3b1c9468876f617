import type { AuthContext } from "./context.ts";
import { AUDIENCE } from "./context.ts";
import type { Weakness } from "./password-policy.ts";
import { json } from "./responses.ts";
import type { Grant } from "./sessions.ts";
import { userJson } from "./user-json.ts";

const SECOND_FACTORS = new Set(["totp", "mfa/phone", "mfa/webauthn"]);

/** Answers a sign-in or refresh with a signed access token; call it after the commit, for signing takes time. */
export async function tokenResponse(
  auth: AuthContext,
  { user, session, refreshToken }: Grant,
  extra: { weak_password?: Weakness | null } = {},
): Promise<Response> {
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
    amr: session.amr,
    session_id: session.id,
    is_anonymous: user.is_anonymous,
  });
  const body = {
    access_token: accessToken,
    token_type: "bearer",
    expires_in: expiresIn,
    expires_at: issuedAt + expiresIn,
    refresh_token: refreshToken,
    user: userJson(user),
    ...extra,
  };
  return json(body, { headers: { "sb-auth-user-id": user.id, "sb-auth-session-id": session.id } });
}

/** The level a session has reached by the methods it was proven with. */
export function assuranceLevel(amr: Grant["session"]["amr"]): "aal1" | "aal2" {
  return amr.some(({ method }) => SECOND_FACTORS.has(method)) ? "aal2" : "aal1";
}
