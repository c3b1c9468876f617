import { createHash } from "node:crypto";
import { z } from "zod";
import { DatabaseError, type Transaction } from "../../db/database.ts";
import { SQLSTATE } from "../../sqlstates.ts";
import { audit } from "../audit.ts";
import { flag } from "../body-fields.ts";
import { readJson } from "../../read-json.ts";
import type { Call } from "../context.ts";
import { AuthError } from "../errors.ts";
import { json } from "../responses.ts";
import { lockUser, type User } from "../accounts/users.ts";
import { userOfPath } from "./user-by-id.ts";

const bodySchema = z.object({ should_soft_delete: flag });
const REFERENCED = new Set<string>([SQLSTATE.restrictViolation, SQLSTATE.foreignKeyViolation]);

/** `DELETE admin/users/{id}`: removes an account, or with `should_soft_delete` keeps its row without anything personal. */
export async function deleteUser(call: Call): Promise<Response> {
  const { should_soft_delete: soft } = await readJson(call.request, bodySchema, {});
  try {
    await call.auth.database.transaction(async (tx) => {
      const user = await userOfPath(call, tx, lockUser);
      await audit(tx, call, "user_deleted", "service_role", { user_id: user.id, user_email: user.email, user_phone: user.phone });
      if (soft) await erase(tx, user);
      else await tx.query("delete from auth.users where id = $1", [user.id]);
    });
  } catch (error) {
    if (error instanceof DatabaseError && REFERENCED.has(error.code))
      throw new AuthError(409, "conflict", "The user is still referenced by other data");
    throw error;
  }
  return json({});
}

const ERASE_USER = `update auth.users set email = $2, phone = $3, encrypted_password = null, confirmation_token = null,
    recovery_token = null, email_change = null, email_change_token_new = null, email_change_token_current = '', phone_change = '',
    phone_change_token = '', reauthentication_token = '', raw_app_meta_data = '{}', raw_user_meta_data = '{}',
    deleted_at = now(), updated_at = now()
  where id = $1`;

/** A hash keeps identifiers unique and tells nobody what they were; the id keeps two accounts' hashes apart. */
async function erase(tx: Transaction, user: User): Promise<void> {
  if (user.deleted_at) return;
  const veil = (value: string): string => createHash("sha256").update(`${user.id}${value}`).digest("base64url");
  await tx.query(ERASE_USER, [user.id, user.email && veil(user.email), user.phone && veil(user.phone).slice(0, 15)]);
  for (const { id, provider_id } of user.identities)
    await tx.query("update auth.identities set provider_id = $2, identity_data = '{}', updated_at = now() where id = $1", [
      id,
      veil(provider_id),
    ]);
  for (const table of ["sessions", "mfa_factors", "one_time_tokens", "mail_outbox"])
    await tx.query(`delete from auth.${table} where user_id = $1`, [user.id]);
}
