import { DatabaseError, type SqlValue, type Transaction } from "../../db/database.ts";
import * as SQLSTATE from "../../sqlstates.ts";
import { AUDIENCE } from "../context.ts";
import { AuthError } from "../errors.ts";
import { describeIdentities } from "./identities.ts";
import { readUser, type User } from "./users.ts";

/** Fields of a new or changed account. */
export interface AccountFields {
  email?: string | undefined;
  phone?: string | undefined;
  userMetadata?: Record<string, unknown> | undefined;
  appMetadata?: Record<string, unknown> | undefined;
  role?: string | undefined;
  /** Null for no ban. */
  bannedUntil?: Date | null | undefined;
}

/** The fields of a new account; each address becomes an identity. */
export interface NewUser extends AccountFields {
  id?: string | undefined;
  passwordHash: string | null;
  emailConfirmed?: boolean;
  phoneConfirmed?: boolean;
  /** Additional data of the address's identity. */
  identityData?: Record<string, unknown> | undefined;
  isAnonymous?: boolean;
  /** The identity provider of an account without an address of its own. */
  provider?: string;
  isSso?: boolean;
}

/** The fields to change; undefined keeps a value. Metadata is merged by key, and null deletes a key. */
interface UserChanges extends AccountFields {
  passwordHash?: string | undefined;
  confirmEmail?: boolean;
  confirmPhone?: boolean;
  /** Makes an anonymous account permanent. */
  permanent?: boolean;
}

/** The instance id of a hosted project. */
export const INSTANCE = "00000000-0000-0000-0000-000000000000";

const INSERT_USER = `insert into auth.users (instance_id, id, aud, role, email, phone, encrypted_password, email_confirmed_at,
    phone_confirmed_at, raw_app_meta_data, raw_user_meta_data, banned_until, is_anonymous, is_sso_user, created_at, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, case when $8::boolean then now() end, case when $9::boolean then now() end,
    $10::text::jsonb, $11::text::jsonb, $12, $13, $14, now(), now())`;

/** Creates an account with an identity for each address. Fails with a 422 if an address is in use. */
export async function insertUser(tx: Transaction, user: NewUser): Promise<User> {
  const id = user.id ?? crypto.randomUUID();
  const { email, phone, emailConfirmed = false, phoneConfirmed = false } = user;
  const providers = user.provider === undefined ? [email && "email", phone && "phone"].filter(Boolean) : [user.provider];
  const app = providers.length > 0 ? { provider: providers[0], providers, ...user.appMetadata } : user.appMetadata;
  const verified = { ...(emailConfirmed && { email_verified: true }), ...(phoneConfirmed && { phone_verified: true }) };
  await writeUser(tx, INSERT_USER, [
    INSTANCE,
    id,
    AUDIENCE,
    user.role ?? AUDIENCE,
    email ?? null,
    phone ?? null,
    user.passwordHash,
    emailConfirmed,
    phoneConfirmed,
    JSON.stringify(app ?? {}),
    JSON.stringify({ ...user.userMetadata, ...verified }),
    user.bannedUntil ?? null,
    user.isAnonymous ?? false,
    user.isSso ?? false,
  ]);
  if (user.provider !== undefined) return readUser(tx, id);
  if (email !== undefined) await saveIdentity(tx, id, "email", { ...user.identityData, email, email_verified: emailConfirmed });
  if (phone !== undefined) await saveIdentity(tx, id, "phone", { ...user.identityData, phone, phone_verified: phoneConfirmed });
  return readUser(tx, id);
}

const UPDATE_USER = `update auth.users set
    email = coalesce($2, email),
    phone = coalesce($3, phone),
    encrypted_password = coalesce($4, encrypted_password),
    email_confirmed_at = case when $5::boolean then coalesce(email_confirmed_at, now()) else email_confirmed_at end,
    phone_confirmed_at = case when $6::boolean then coalesce(phone_confirmed_at, now()) else phone_confirmed_at end,
    raw_user_meta_data = (select coalesce(jsonb_object_agg(key, value), '{}')
      from jsonb_each(coalesce(raw_user_meta_data, '{}') || $7::text::jsonb) where value <> 'null'),
    raw_app_meta_data = (select coalesce(jsonb_object_agg(key, value), '{}')
      from jsonb_each(coalesce(raw_app_meta_data, '{}') || $8::text::jsonb) where value <> 'null'),
    role = coalesce($9, role),
    banned_until = case when $10::boolean then $11 else banned_until end,
    is_anonymous = is_anonymous and not $12::boolean,
    updated_at = now()
  where id = $1`;

/** Changes an account and the identities of its addresses. Fails with a 422 if an address is in use. */
export async function updateUser(tx: Transaction, user: User, changes: UserChanges): Promise<User> {
  const { email, phone, confirmEmail = false, confirmPhone = false } = changes;
  const verified = { ...(confirmEmail && { email_verified: true }), ...(confirmPhone && { phone_verified: true }) };
  await writeUser(tx, UPDATE_USER, [
    user.id,
    email ?? null,
    phone ?? null,
    changes.passwordHash ?? null,
    confirmEmail,
    confirmPhone,
    JSON.stringify({ ...verified, ...changes.userMetadata }),
    JSON.stringify(changes.appMetadata ?? {}),
    changes.role ?? null,
    changes.bannedUntil !== undefined,
    changes.bannedUntil ?? null,
    changes.permanent ?? false,
  ]);
  if (email !== undefined || (confirmEmail && user.email !== null))
    await saveIdentity(tx, user.id, "email", { ...(email !== undefined && { email }), ...(confirmEmail && { email_verified: true }) });
  if (phone !== undefined || (confirmPhone && user.phone !== null))
    await saveIdentity(tx, user.id, "phone", { ...(phone !== undefined && { phone }), ...(confirmPhone && { phone_verified: true }) });
  // The first address of its kind adds an identity.
  if (email !== undefined || phone !== undefined) await describeIdentities(tx, user.id);
  return readUser(tx, user.id);
}

/** The errors for the unique keys of auth.users. */
const TAKEN: Readonly<Record<string, [status: number, code: string, message: string]>> = {
  users_email_partial_key: [422, "email_exists", "A user with this email address has already been registered"],
  users_phone_key: [422, "phone_exists", "Phone number already registered by another user"],
  users_pkey: [409, "conflict", "A user with this id already exists"],
};

async function writeUser(tx: Transaction, statement: string, values: SqlValue[]): Promise<void> {
  try {
    await tx.query(statement, values);
  } catch (error) {
    const taken = error instanceof DatabaseError && error.code === SQLSTATE.uniqueViolation ? TAKEN[error.constraint ?? ""] : undefined;
    if (taken) throw new AuthError(...taken);
    throw error;
  }
}

// The subject of an email or phone identity is the id of the account.
const SAVE_IDENTITY = `insert into auth.identities as identity (provider_id, user_id, provider, identity_data, created_at, updated_at)
  values ($1::text, $1::uuid, $2, $3::text::jsonb || $4::text::jsonb, now(), now())
  on conflict (provider_id, provider) do update
    set identity_data = coalesce(identity.identity_data, '{}') || $4::text::jsonb, updated_at = now()`;

async function saveIdentity(tx: Transaction, userId: string, provider: "email" | "phone", data: Record<string, unknown>): Promise<void> {
  const initial = { sub: userId, email_verified: false, phone_verified: false };
  await tx.query(SAVE_IDENTITY, [userId, provider, JSON.stringify(initial), JSON.stringify(data)]);
}
