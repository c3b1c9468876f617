import { audit } from "../audit.ts";
import type { Member } from "../bearer.ts";
import type { Call } from "../context.ts";
import { json } from "../responses.ts";
import { openChallenge } from "./challenges.ts";
import { factorOfPath } from "./factor-of-path.ts";
import { requireVerifiable } from "./switches.ts";

/** `POST factors/{id}/challenge`: the first half of proving a factor; it holds for five minutes. */
export async function challengeFactor(call: Call, { user }: Member): Promise<Response> {
  const { id: factorId, factor_type: type } = factorOfPath(call, user.factors);
  requireVerifiable(call.auth, type);
  const challenge = await call.auth.database.transaction(async (tx) => {
    const opened = await openChallenge(tx, call, factorId);
    await audit(tx, call, "challenge_created", user, { factor_id: factorId });
    return opened;
  });
  return json({ id: challenge.id, type, expires_at: challenge.expiresAt });
}
