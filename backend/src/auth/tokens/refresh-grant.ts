import { z } from "zod";
import { readJson } from "../../read-json.ts";
import { text } from "../body-fields.ts";
import type { Call } from "../context.ts";
import { DatabaseError } from "../../db/database.ts";
import { SQLSTATE } from "../../sqlstates.ts";
import { AuthError, validationFailed } from "../errors.ts";
import { rotate } from "./rotation.ts";
import type { Grant } from "./sessions.ts";
import { tokenResponse } from "./token-response.ts";

const bodySchema = z.object({ refresh_token: text });
const WELL_FORMED = /^[a-z0-9]{12,}$/;

/** `POST token?grant_type=refresh_token`. */
export async function refreshTokenGrant(call: Call): Promise<Response> {
  const { refresh_token: refreshToken } = await readJson(call.request, bodySchema);
  if (!WELL_FORMED.test(refreshToken)) throw validationFailed("Refresh token is not valid");
  const outcome = await exchange(call, refreshToken);
  if (outcome instanceof AuthError) throw outcome;
  return tokenResponse(call.auth, outcome);
}

async function exchange(call: Call, refreshToken: string): Promise<Grant | AuthError> {
  try {
    return await call.auth.database.transaction((tx) => rotate(tx, call, refreshToken));
  } catch (error) {
    if (error instanceof DatabaseError && error.code === SQLSTATE.lockNotAvailable)
      throw new AuthError(409, "conflict", "Too many refreshes of this session at once, please try again");
    throw error;
  }
}
