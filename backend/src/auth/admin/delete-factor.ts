import { audit } from "../audit.ts";
import type { Call } from "../context.ts";
import { removeFactor } from "../factors/assurance.ts";
import { factorOfPath } from "../factors/factor-of-path.ts";
import { json } from "../responses.ts";
import { factorJson } from "../accounts/user-json.ts";
import { lockUser } from "../accounts/users.ts";
import { userOfPath } from "./user-by-id.ts";

/** `DELETE admin/users/{id}/factors/{factor}`: removes a factor, as for somebody who lost their phone. */
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
