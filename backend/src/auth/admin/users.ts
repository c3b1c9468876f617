import { createHash } from "node:crypto";
import { z } from "zod";
import { parseDuration } from "../../config/duration.ts";
import { DatabaseError, type Transaction } from "../../db/database.ts";
import { LONG_JSON_BYTES, readJson } from "../../body/read-json.ts";
import * as SQLSTATE from "../../sqlstates.ts";
import { uuid } from "../../uuid.ts";
import { requireEmail, requirePhone } from "../accounts/addresses.ts";
import { requireStorablePassword, requireStrongPassword } from "../accounts/password-policy.ts";
import { isAffordable } from "../accounts/passwords.ts";
import { insertUser, updateUser, type AccountFields } from "../accounts/user-changes.ts";
import { findUserById, listUsers, lockUser, userJson, type User } from "../accounts/users.ts";
import { audit } from "../audit.ts";
import { flag, metadata, optionalText } from "../body-fields.ts";
import { AUDIENCE, uuidOfPath, type Call } from "../context.ts";
import { AuthError, validationFailed } from "../errors.ts";
import { json } from "../responses.ts";
import { endOldProofs, endSessions } from "../tokens/sessions.ts";

const MAX_PER_PAGE = 1000;
const NIL_UUID = "00000000-0000-0000-0000-000000000000";

/** The fields of an account that an administrator may write. */
const userFields = z.object({
  email: optionalText.transform((email) => email && requireEmail(email)),
  phone: optionalText.transform((phone) => phone && requirePhone(phone)),
  password: optionalText,
  password_hash: optionalText.transform((hash) => hash && requireKnownHash(hash)),
  email_confirm: flag,
  phone_confirm: flag,
  user_metadata: metadata,
  app_metadata: metadata,
  role: optionalText,
  ban_duration: optionalText.transform((duration) => (duration === undefined ? undefined : banEnd(duration))),
});
const newUserFields = userFields.extend({ id: optionalText.transform((id) => id && requireId(id)) });

/** `GET admin/users?page&per_page&filter&sort`: one page of all accounts, newest first. */
export async function getUsers({ auth, request }: Call): Promise<Response> {
  const url = new URL(request.url);
  const page = pageParameter(url, "page", 1);
  const perPage = Math.min(pageParameter(url, "per_page", 50), MAX_PER_PAGE);
  const filter = url.searchParams.get("filter") ?? "";
  const oldestFirst = /^created_at\s+asc$/i.test(url.searchParams.get("sort") ?? "");
  const { users, total } = await auth.database.transaction(
    (tx) => listUsers(tx, { limit: perPage, offset: (page - 1) * perPage, filter, oldestFirst }),
    { readOnly: true },
  );
  const headers = { "X-Total-Count": String(total), Link: pageLinks(url, page, Math.max(1, Math.ceil(total / perPage)), perPage) };
  return json({ users: users.map(userJson), aud: AUDIENCE }, { headers });
}

/** `GET admin/users/{id}`. */
export async function getUserById(call: Call): Promise<Response> {
  const user = await call.auth.database.transaction((tx) => userOfPath(call, tx, findUserById), { readOnly: true });
  return json(userJson(user));
}

/** `POST admin/users`: creates an account and sends no mail; without a password the account has no password sign-in. */
export async function createUser(call: Call): Promise<Response> {
  const { database, passwords } = call.auth;
  const fields = await readJson(call.request, newUserFields, { maxBytes: LONG_JSON_BYTES });
  const { email, phone, password } = fields;
  if (email === undefined && phone === undefined) throw validationFailed("Cannot create a user without either an email or phone");
  requireOnePassword(fields);
  if (password !== undefined) requireStorablePassword(password);
  const passwordHash = password === undefined ? (fields.password_hash ?? null) : await passwords.hash(password);
  const user = await database.transaction(async (tx) => {
    const created = await insertUser(tx, {
      id: fields.id,
      ...changesOf(fields),
      passwordHash,
      emailConfirmed: fields.email_confirm && email !== undefined,
      phoneConfirmed: fields.phone_confirm && phone !== undefined,
    });
    await audit(tx, call, "user_signedup", "service_role", traitsOf(created));
    return created;
  });
  return json(userJson(user));
}

/** `PUT admin/users/{id}`: changes an account at once, without a confirmation by its owner. */
export async function updateUserById(call: Call): Promise<Response> {
  const { database, passwords, settings } = call.auth;
  await database.transaction((tx) => userOfPath(call, tx, findUserById), { readOnly: true });
  const fields = await readJson(call.request, userFields, { maxBytes: LONG_JSON_BYTES });
  requireOnePassword(fields);
  if (fields.password !== undefined) requireStrongPassword(fields.password, settings);
  const passwordHash = fields.password === undefined ? fields.password_hash : await passwords.hash(fields.password);
  const user = await database.transaction(async (tx) => {
    const updated = await updateUser(tx, await userOfPath(call, tx, lockUser), {
      ...changesOf(fields),
      passwordHash,
      confirmEmail: fields.email_confirm,
      confirmPhone: fields.phone_confirm,
    });
    if (passwordHash !== undefined) {
      await endOldProofs(tx, updated.id);
      await audit(tx, call, "user_updated_password", "service_role", traitsOf(updated));
    }
    await audit(tx, call, "user_modified", "service_role", traitsOf(updated));
    return updated;
  });
  return json(userJson(user));
}

/** `POST admin/users/{id}/logout`: ends every session of an account and their access tokens. */
export async function signOutUser(call: Call): Promise<Response> {
  await call.auth.database.transaction(async (tx) => {
    const user = await userOfPath(call, tx, lockUser);
    await endSessions(tx, user.id);
    await audit(tx, call, "logout", "service_role", { user_id: user.id, user_email: user.email });
  });
  return new Response(null, { status: 204 });
}

const deleteFields = z.object({ should_soft_delete: flag });
const REFERENCED = new Set<string>([SQLSTATE.restrictViolation, SQLSTATE.foreignKeyViolation]);

/** `DELETE admin/users/{id}`: deletes an account; `should_soft_delete` keeps its row without personal data. */
export async function deleteUser(call: Call): Promise<Response> {
  const { should_soft_delete: soft } = await readJson(call.request, deleteFields, { empty: {} });
  try {
    await call.auth.database.transaction(async (tx) => {
      const user = await userOfPath(call, tx, lockUser);
      await audit(tx, call, "user_deleted", "service_role", traitsOf(user));
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

/** Finds the account that the path names. Fails with a 404. */
export async function userOfPath(call: Call, tx: Transaction, find: typeof findUserById): Promise<User> {
  const user = await find(tx, uuidOfPath(call, "id", "user_id"));
  if (!user) throw new AuthError(404, "user_not_found", "User not found");
  return user;
}

const ERASE_USER = `update auth.users set email = $2, phone = $3, encrypted_password = null, confirmation_token = null,
    recovery_token = null, email_change = null, email_change_token_new = null, email_change_token_current = '', phone_change = '',
    phone_change_token = '', reauthentication_token = '', raw_app_meta_data = '{}', raw_user_meta_data = '{}',
    deleted_at = now(), updated_at = now()
  where id = $1`;

/** Replaces identifiers by hashes, which stay unique; the id as salt makes equal addresses of two accounts differ. */
async function erase(tx: Transaction, user: User): Promise<void> {
  if (user.deleted_at) return;
  const hash = (value: string): string => createHash("sha256").update(`${user.id}${value}`).digest("base64url");
  await tx.query(ERASE_USER, [user.id, user.email && hash(user.email), user.phone && hash(user.phone).slice(0, 15)]);
  const eraseIdentity = "update auth.identities set provider_id = $2, identity_data = '{}', updated_at = now() where id = $1";
  for (const { id, provider_id } of user.identities) await tx.query(eraseIdentity, [id, hash(provider_id)]);
  await endOldProofs(tx, user.id);
  for (const table of ["mfa_factors", "mail_outbox"]) await tx.query(`delete from auth.${table} where user_id = $1`, [user.id]);
}

function traitsOf(user: User): Record<string, string | null> {
  return { user_id: user.id, user_email: user.email, user_phone: user.phone };
}

function changesOf(fields: z.infer<typeof userFields>): AccountFields {
  const { email, phone, role, user_metadata: userMetadata, app_metadata: appMetadata, ban_duration: bannedUntil } = fields;
  return { email, phone, role, userMetadata, appMetadata, bannedUntil };
}

function requireOnePassword(fields: z.infer<typeof userFields>): void {
  if (fields.password !== undefined && fields.password_hash !== undefined)
    throw validationFailed("Only a password or a password hash should be provided");
}

function requireId(id: string): string {
  if (!uuid.safeParse(id).success || id === NIL_UUID) throw validationFailed("ID must be a valid UUID");
  return id;
}

/** Returns the end of a ban from now, given as a Go duration ("24h", "1h30m"); null for "none". */
function banEnd(duration: string): Date | null {
  if (duration === "none") return null;
  const ms = parseDuration(duration);
  if (ms === undefined) throw validationFailed(`invalid format for ban duration: ${JSON.stringify(duration)}`);
  return ms === 0 ? null : new Date(Date.now() + ms);
}

function requireKnownHash(hash: string): string {
  if (!isAffordable(hash)) throw validationFailed("Unsupported password hash");
  return hash;
}

function pageParameter(url: URL, name: string, fallback: number): number {
  const given = url.searchParams.get(name);
  if (given === null || given === "") return fallback;
  const value = Number(given);
  if (!/^\d{1,9}$/.test(given) || value < 1) throw validationFailed(`Bad Pagination Parameters: ${name} must be a whole number from 1`);
  return value;
}

/** Returns RFC 8288 links. `page` is the first parameter, because auth-js reads the first one whatever its name. */
function pageLinks(url: URL, page: number, last: number, perPage: number): string {
  const rest = new URLSearchParams(url.searchParams);
  rest.delete("page");
  rest.set("per_page", String(perPage));
  const to = (target: number, rel: string): string => `<${url.pathname}?page=${target}&${rest}>; rel="${rel}"`;
  return [...(page < last ? [to(page + 1, "next")] : []), to(last, "last")].join(", ");
}
