import { DatabaseError, type Transaction } from "../../db/database.ts";
import * as SQLSTATE from "../../sqlstates.ts";
import { audit } from "../audit.ts";
import { lockCaller, type Caller } from "../bearer.ts";
import { uuidOfPath, type Call } from "../context.ts";
import { AuthError } from "../errors.ts";
import { json } from "../responses.ts";
import { describeIdentities } from "./identities.ts";
import type { User } from "./users.ts";

/** `DELETE user/identities/{id}`: removes an identity of the caller's account, but not the last one. */
export async function unlinkIdentity(call: Call, caller: Caller): Promise<Response> {
  requireManualLinking(call);
  const id = uuidOfPath(call, "identity", "identity_id");
  await call.auth.database.transaction(async (tx) => unlink(tx, call, await lockCaller(tx, caller), id));
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

/** Keeps the email address while an identity has it; else uses the first verified address of the remaining identities. */
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

/** Fails with a 404 unless config.toml allows a user to link and unlink identities. */
export function requireManualLinking({ auth }: Call): void {
  if (!auth.settings.enable_manual_linking) throw new AuthError(404, "manual_linking_disabled", "Manual linking is disabled");
}
