import { audit } from "../audit.ts";
import { readJson } from "../../read-json.ts";
import type { Call } from "../context.ts";
import { validationFailed } from "../errors.ts";
import { requireStrongPassword } from "../accounts/password-policy.ts";
import { json } from "../responses.ts";
import { endOldProofs } from "../tokens/sessions.ts";
import { updateUser } from "../accounts/user-changes.ts";
import { userJson } from "../accounts/user-json.ts";
import { findUserById, lockUser } from "../accounts/users.ts";
import { userOfPath } from "./user-by-id.ts";
import { userFields } from "./user-fields.ts";

/** `PUT admin/users/{id}`: changes an account at once, without asking its owner. */
export async function updateUserById(call: Call): Promise<Response> {
  const { database, passwords, settings } = call.auth;
  await database.transaction((tx) => userOfPath(call, tx, findUserById), { readOnly: true });
  const fields = await readJson(call.request, userFields);
  if (fields.password !== undefined && fields.password_hash !== undefined)
    throw validationFailed("Only a password or a password hash should be provided");
  if (fields.password !== undefined) requireStrongPassword(fields.password, settings);
  const passwordHash = fields.password === undefined ? fields.password_hash : await passwords.hash(fields.password);
  const user = await database.transaction(async (tx) => {
    const current = await userOfPath(call, tx, lockUser);
    const updated = await updateUser(tx, current, {
      email: fields.email,
      phone: fields.phone,
      passwordHash,
      confirmEmail: fields.email_confirm,
      confirmPhone: fields.phone_confirm,
      userMetadata: fields.user_metadata,
      appMetadata: fields.app_metadata,
      role: fields.role,
      bannedUntil: fields.ban_duration,
    });
    const about = { user_id: updated.id, user_email: updated.email, user_phone: updated.phone };
    if (passwordHash !== undefined) {
      await endOldProofs(tx, updated.id);
      await audit(tx, call, "user_updated_password", "service_role", about);
    }
    await audit(tx, call, "user_modified", "service_role", about);
    return updated;
  });
  return json(userJson(user));
}
