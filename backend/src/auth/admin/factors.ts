import { factorJson, findUserById, lockUser } from "../accounts/users.ts";
import { audit } from "../audit.ts";
import type { Call } from "../context.ts";
import { factorOfPath, removeFactor } from "../factors/factors.ts";
import { json } from "../responses.ts";
import { userOfPath } from "./users.ts";

/** `GET admin/users/{id}/factors`: the second factors of an account, without their secrets. */
export async function getFactors(call: Call): Promise<Response> {
  const user = await call.auth.database.transaction((tx) => userOfPath(call, tx, findUserById), { readOnly: true });
  return json(user.factors.map(factorJson));
}

/** `DELETE admin/users/{id}/factors/{factor}`: removes a factor, for example after the loss of a phone. */
export async function deleteFactor(call: Call): Promise<Response> {
  const removed = await call.auth.database.transaction(async (tx) => {
    const user = await userOfPath(call, tx, lockUser);
    const factor = factorOfPath(call, user.factors);
    await removeFactor(tx, factor.id);
    await audit(tx, call, "factor_deleted", "service_role", { user_id: user.id, factor_id: factor.id });
    return factor;
  });
  return json(factorJson(removed));
}
