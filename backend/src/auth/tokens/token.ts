import type { Call } from "../context.ts";
import { AuthError } from "../errors.ts";
import { idTokenGrant } from "../optional/index.ts";
import { passwordGrant } from "./password-grant.ts";
import { pkceGrant } from "./pkce-grant.ts";
import { refreshTokenGrant } from "./refresh-grant.ts";

/** `POST token?grant_type=`: exchanges a proof for a session. */
export async function token(call: Call): Promise<Response> {
  switch (new URL(call.request.url).searchParams.get("grant_type")) {
    case "password":
      return passwordGrant(call);
    case "id_token":
      return idTokenGrant(call);
    case "pkce":
      return pkceGrant(call);
    case "refresh_token":
      return refreshTokenGrant(call);
    default:
      throw new AuthError(400, "invalid_credentials", "unsupported_grant_type");
  }
}
