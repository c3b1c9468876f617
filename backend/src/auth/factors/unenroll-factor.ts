import { audit } from "../audit.ts";
import { sessionNotFound, type Member } from "../bearer.ts";
import type { Call } from "../context.ts";
import { AuthError } from "../errors.ts";
import { json } from "../responses.ts";
import { lockUser } from "../accounts/users.ts";
import { removeFactor } from "./assurance.ts";
import { factorOfPath } from "./factor-of-path.ts";

/** `DELETE factors/{id}`: removes one's own factor; a verified one only for a session proven at aal2. */
export async function unenrollFactor(call: Call, { user, assurance }: Member): Promise<Response> {
  const id = await call.auth.database.transaction(async (tx) => {
    const current = await lockUser(tx, user.id);
    if (!current) throw sessionNotFound();
    const factor = factorOfPath(call, current.factors);
    if (factor.status === "verified" && assurance !== "aal2")
      throw new AuthError(422, "insufficient_aal", "AAL2 required to unenroll verified factor");
    await removeFactor(tx, factor.id);
    await audit(tx, call, "factor_unenrolled", user, { factor_id: factor.id, factor_type: factor.factor_type });
    return factor.id;
  });
  return json({ id });
}
