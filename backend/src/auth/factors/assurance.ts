import type { Transaction } from "../../db/database.ts";
import { findSession, newRefreshToken, type AuthenticationMethod, type Grant } from "../tokens/sessions.ts";
import { INSTANCE } from "../accounts/user-changes.ts";
import { findUserById } from "../accounts/users.ts";

// The aal1 tokens are deleted and not revoked, because a recently revoked token is still exchanged for its successor.
const RAISE = `with raised as (
    update auth.sessions set aal = 'aal2', factor_id = $2, updated_at = now() where id = $1
  ), claim as (
    insert into auth.mfa_amr_claims (id, session_id, created_at, updated_at, authentication_method)
    values (gen_random_uuid(), $1, now(), now(), $3)
    on conflict (session_id, authentication_method) do update set updated_at = now()
  ), lower as (
    delete from auth.refresh_tokens where session_id = $1
  )
  insert into auth.refresh_tokens (instance_id, user_id, token, revoked, created_at, updated_at, session_id)
  values ($4, $5::text, $6, false, now(), now(), $1)`;

/** Raises a locked session to aal2 and replaces its refresh tokens by a new one. */
export async function raiseSession(
  tx: Transaction,
  { id, userId }: { id: string; userId: string },
  proof: { factorId: string; method: AuthenticationMethod },
): Promise<Grant> {
  const refreshToken = newRefreshToken();
  await tx.query(RAISE, [id, proof.factorId, proof.method, INSTANCE, userId, refreshToken]);
  const session = await findSession(tx, id);
  const user = await findUserById(tx, userId);
  if (!session || !user) throw new Error("The raised session was deleted");
  return { user, session, refreshToken };
}

/** Ends the sessions of an account below aal2, except `keep`. */
export async function endLowerSessions(tx: Transaction, userId: string, keep: string): Promise<void> {
  await tx.query("delete from auth.sessions where user_id = $1 and id <> $2 and aal is distinct from 'aal2'", [userId, keep]);
}
