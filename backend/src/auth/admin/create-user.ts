import { z } from "zod";
import { audit } from "../audit.ts";
import { readJson } from "../../read-json.ts";
import type { Call } from "../context.ts";
import { validationFailed } from "../errors.ts";
import { requireStorablePassword } from "../accounts/password-policy.ts";
import { json } from "../responses.ts";
import { insertUser } from "../accounts/user-changes.ts";
import { userJson } from "../accounts/user-json.ts";
import { userFields } from "./user-fields.ts";

const NIL = "00000000-0000-0000-0000-000000000000";

const bodySchema = userFields.extend({
  id: z
    .string()
    .nullish()
    .transform((id) => (id ? requireId(id) : undefined)),
});

/** `POST admin/users`: a new account, without mail; without a password nobody can sign in to it by one. */
export async function createUser(call: Call): Promise<Response> {
  const fields = await readJson(call.request, bodySchema);
  const { email, phone, password } = fields;
  if (email === undefined && phone === undefined) throw validationFailed("Cannot create a user without either an email or phone");
  if (password !== undefined && fields.password_hash !== undefined)
    throw validationFailed("Only a password or a password hash should be provided");
  if (password !== undefined) requireStorablePassword(password);
  const passwordHash = password === undefined ? (fields.password_hash ?? null) : await call.auth.passwords.hash(password);
  const user = await call.auth.database.transaction(async (tx) => {
    const created = await insertUser(tx, {
      ...(fields.id !== undefined && { id: fields.id }),
      email,
      phone,
      passwordHash,
      emailConfirmed: fields.email_confirm && email !== undefined,
      phoneConfirmed: fields.phone_confirm && phone !== undefined,
      userMetadata: fields.user_metadata,
      appMetadata: fields.app_metadata,
      role: fields.role,
      bannedUntil: fields.ban_duration ?? null,
    });
    await audit(tx, call, "user_signedup", "service_role", { user_id: created.id, user_email: created.email, user_phone: created.phone });
    return created;
  });
  return json(userJson(user));
}

function requireId(id: string): string {
  if (!z.guid().safeParse(id).success || id === NIL) throw validationFailed("ID must be a valid UUID");
  return id;
}
