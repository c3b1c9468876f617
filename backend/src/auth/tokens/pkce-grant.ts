import { z } from "zod";
import { audit } from "../audit.ts";
import { readJson } from "../../read-json.ts";
import { text } from "../body-fields.ts";
import type { Call } from "../context.ts";
import { AuthError, validationFailed } from "../errors.ts";
import { spendAuthCode } from "../codes/flow-state.ts";
import { openSession } from "./sessions.ts";
import { tokenResponse } from "./token-response.ts";
import { findUserById, isBanned } from "../accounts/users.ts";

const bodySchema = z.object({ auth_code: text, code_verifier: text });

/** `POST token?grant_type=pkce`: exchanges the code a link led to, and the secret its flow was begun with, for a session. */
export async function pkceGrant(call: Call): Promise<Response> {
  const { auth_code: code, code_verifier: verifier } = await readJson(call.request, bodySchema);
  if (code === "" || verifier === "") throw validationFailed("invalid request: both auth code and code verifier should be non-empty");
  const outcome = await call.auth.database.transaction(async (tx) => {
    const flow = await spendAuthCode(tx, code, verifier);
    if (flow instanceof AuthError) return flow;
    const user = flow.user_id === null ? undefined : await findUserById(tx, flow.user_id);
    if (!user) return new AuthError(404, "user_not_found", "User of this flow does not exist");
    if (isBanned(user)) return new AuthError(403, "user_banned", "User is banned");
    const grant = await openSession(tx, call, user.id, flow.authentication_method);
    await audit(tx, call, "login", user);
    return { grant, flow };
  });
  if (outcome instanceof AuthError) throw outcome;
  const { provider_access_token: token, provider_refresh_token: refresh } = outcome.flow;
  return tokenResponse(call.auth, outcome.grant, {
    ...(token && { provider_token: token }),
    ...(refresh && { provider_refresh_token: refresh }),
  });
}
