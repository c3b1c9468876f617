import { z } from "zod";
import { DatabaseError } from "../../db/database.ts";
import { readJson } from "../../body/read-json.ts";
import * as SQLSTATE from "../../sqlstates.ts";
import { findUserById, isBanned } from "../accounts/users.ts";
import { text } from "../body-fields.ts";
import { spendAuthCode } from "../codes/flow-state.ts";
import type { Call } from "../context.ts";
import { AuthError, validationFailed } from "../errors.ts";
import type { CountedTransaction } from "../limits.ts";
import { idTokenGrant } from "../optional/index.ts";
import { passwordGrant } from "./password-grant.ts";
import { rotate } from "./rotation.ts";
import { signIn, type Grant } from "./sessions.ts";
import { tokenResponse } from "./token-response.ts";

/** `POST token?grant_type=`: exchanges a proof for a session. */
export async function token(call: Call, counted: CountedTransaction): Promise<Response> {
  switch (new URL(call.request.url).searchParams.get("grant_type")) {
    case "password":
      return passwordGrant(call, counted);
    case "id_token":
      await counted(async () => undefined, { isSynced: false });
      return idTokenGrant(call);
    case "pkce":
      await counted(async () => undefined, { isSynced: false });
      return pkceGrant(call);
    case "refresh_token":
      return refreshTokenGrant(call, counted);
    case "web3":
      throw new AuthError(422, "web3_provider_disabled", "Web3 provider is disabled");
    default:
      throw new AuthError(400, "invalid_credentials", "unsupported_grant_type");
  }
}

const refreshSchema = z.object({ refresh_token: text });
const REFRESH_TOKEN = /^[a-z0-9]{12,}$/;

/** `grant_type=refresh_token`. */
async function refreshTokenGrant(call: Call, counted: CountedTransaction): Promise<Response> {
  const { refresh_token: refreshToken } = await readJson(call.request, refreshSchema);
  if (!REFRESH_TOKEN.test(refreshToken)) throw validationFailed("Refresh token is not valid");
  const outcome = await exchangeRefreshToken(call, counted, refreshToken);
  if (outcome instanceof AuthError) throw outcome;
  return tokenResponse(call.auth, outcome);
}

async function exchangeRefreshToken(call: Call, counted: CountedTransaction, refreshToken: string): Promise<Grant | AuthError> {
  try {
    return await counted((tx) => rotate(tx, call, refreshToken), { isSynced: true });
  } catch (error) {
    if (error instanceof DatabaseError && error.code === SQLSTATE.lockNotAvailable)
      throw new AuthError(409, "conflict", "Too many refreshes of this session at once, please try again");
    throw error;
  }
}

const pkceSchema = z.object({ auth_code: text, code_verifier: text });

/** `grant_type=pkce`: exchanges the code of a flow, and the verifier of its challenge, for a session. */
async function pkceGrant(call: Call): Promise<Response> {
  const { auth_code: code, code_verifier: verifier } = await readJson(call.request, pkceSchema);
  if (code === "" || verifier === "") throw validationFailed("invalid request: both auth code and code verifier should be non-empty");
  // An error is returned and not thrown, so that the deletion of the code is committed.
  const outcome = await call.auth.database.transaction(async (tx) => {
    const flow = await spendAuthCode(tx, code, verifier);
    if (flow instanceof AuthError) return flow;
    const user = flow.user_id === null ? undefined : await findUserById(tx, flow.user_id);
    if (!user) return new AuthError(404, "user_not_found", "User of this flow does not exist");
    if (isBanned(user)) return new AuthError(403, "user_banned", "User is banned");
    return { grant: await signIn(tx, call, user.id, flow.authentication_method, flow.session_not_after), flow };
  });
  if (outcome instanceof AuthError) throw outcome;
  const { provider_access_token: providerToken, provider_refresh_token: providerRefreshToken } = outcome.flow;
  return tokenResponse(call.auth, outcome.grant, {
    ...(providerToken && { provider_token: providerToken }),
    ...(providerRefreshToken && { provider_refresh_token: providerRefreshToken }),
  });
}
