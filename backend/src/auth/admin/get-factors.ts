import type { Call } from "../context.ts";
import { json } from "../responses.ts";
import { factorJson } from "../accounts/user-json.ts";
import { findUserById } from "../accounts/users.ts";
import { userOfPath } from "./user-by-id.ts";

/** `GET admin/users/{id}/factors`: the second factors of an account, without their secrets. */
export async function getFactors(call: Call): Promise<Response> {
  const user = await call.auth.database.transaction((tx) => userOfPath(call, tx, findUserById), { readOnly: true });
  return json(user.factors.map(factorJson));
}
