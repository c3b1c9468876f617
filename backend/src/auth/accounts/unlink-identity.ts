import { z } from "zod";
import { DatabaseError, type Transaction } from "../../db/database.ts";
import { SQLSTATE } from "../../sqlstates.ts";
import { audit } from "../audit.ts";
import { sessionNotFound, type Caller } from "../bearer.ts";
import type { Call } from "../context.ts";
import { AuthError } from "../errors.ts";
import { json } from "../responses.ts";
import { lockUser, type User } from "./users.ts";
import { describeIdentities } from "./identity-rows.ts";
import { requireManualLinking } from "./manual-linking.ts";

const uuid = z.guid();

/** `DELETE user/identities/{id}`: takes an identity from the caller's account, which keeps at least one. */
export async function unlinkIdentity(call: Call, { user }: Caller): Promise<Response> {
  requireManualLinking(call);
  const id = uuid.safeParse(call.params.identity);
  if (!id.success) throw new AuthError(404, "validation_failed", "identity_id must be an UUID");
  await call.auth.database.transaction(async (tx) => {
    const current = await lockUser(tx, user.id);
    if (!current) throw sessionNotFound();
    await unlink(tx, call, current, id.data.toLowerCase());
  });
  return json({});
}

async function unlink(tx: Transaction, call: Call, user: User, id: string): Promise<void> {
  if (user.identities.length <= 1)
    throw new AuthError(422, "single_identity_not_deletable", "User must have at least 1 identity after unlinking");
  const identity = user.identities.find((candidate) => candidate.id === id);
  if (!identity) throw new AuthError(422, "identity_not_found", "Identity doesn't exist");
  const others = user.identities.filter((candidate) => candidate !== identity);
  await tx.query("delete from auth.identities where id = $1", [id]);
  if (identity.provider === "phone")
    await tx.query("update auth.users set phone = null, phone_confirmed_at = null where id = $1", [user.id]);
  await recomputeEmail(tx, user, others);
  await describeIdentities(tx, user.id);
  await audit(tx, call, "identity_unlinked", user, { identity_id: id, provider: identity.provider });
}

/** An account keeps its address while an identity has it, else takes the first verified one of those left. */
async function recomputeEmail(tx: Transaction, user: User, left: User["identities"]): Promise<void> {
  if (left.some(({ email }) => email !== null && email === user.email)) return;
  const next = left.find(({ email, identity_data: data }) => email !== null && data.email_verified === true)?.email ?? null;
  try {
    await tx.query(
      "update auth.users set email = $2::text, email_confirmed_at = case when $2::text is not null then now() end where id = $1",
      [user.id, next],
    );
  } catch (error) {
    if (error instanceof DatabaseError && error.code === SQLSTATE.uniqueViolation)
      throw new AuthError(422, "email_conflict_identity_not_deletable", "Unable to unlink identity due to email conflict");
    throw error;
  }
}
