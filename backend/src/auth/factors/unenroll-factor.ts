import { audit } from "../audit.ts";
import { lockCaller, type Member } from "../bearer.ts";
import type { Call } from "../context.ts";
import { AuthError } from "../errors.ts";
import { json } from "../responses.ts";
import { factorOfPath, removeFactor } from "./factors.ts";

/** `DELETE factors/{id}`: removes a factor of the caller; a verified factor requires a session at aal2. */
export async function unenrollFactor(call: Call, member: Member): Promise<Response> {
  const id = await call.auth.database.transaction(async (tx) => {
    const user = await lockCaller(tx, member);
    const factor = factorOfPath(call, user.factors);
    if (factor.status === "verified" && member.assurance !== "aal2")
      throw new AuthError(422, "insufficient_aal", "AAL2 required to unenroll verified factor");
    await removeFactor(tx, factor.id);
    await audit(tx, call, "factor_unenrolled", user, { factor_id: factor.id, factor_type: factor.factor_type });
    return factor.id;
  });
  return json({ id });
}
