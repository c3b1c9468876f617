import { z } from "zod";
import type { SqlValue, Transaction } from "../../db/database.ts";

/** The last instant a `Date` can hold, for Postgres' `infinity`, as in a ban without end. */
const END_OF_TIME = new Date(8.64e15);

const instant = z.union([z.date(), z.string()]).transform((value) => (value === "infinity" ? END_OF_TIME : new Date(value)));
const maybeInstant = instant.nullable();
const metadata = z
  .record(z.string(), z.unknown())
  .nullable()
  .transform((value) => value ?? {});

const identitySchema = z.object({
  id: z.string(),
  provider_id: z.string(),
  user_id: z.string(),
  identity_data: metadata,
  provider: z.string(),
  last_sign_in_at: maybeInstant,
  created_at: maybeInstant,
  updated_at: maybeInstant,
  email: z.string().nullable(),
});

const factorSchema = z.object({
  id: z.string(),
  created_at: instant,
  updated_at: instant,
  status: z.enum(["unverified", "verified"]),
  friendly_name: z.string().nullable(),
  factor_type: z.enum(["totp", "phone", "webauthn"]),
  phone: z.string().nullable(),
  last_challenged_at: maybeInstant,
});

const userSchema = z.object({
  id: z.string(),
  aud: z.string().nullable(),
  role: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  encrypted_password: z.string().nullable(),
  raw_app_meta_data: metadata,
  raw_user_meta_data: metadata,
  email_confirmed_at: maybeInstant,
  phone_confirmed_at: maybeInstant,
  confirmed_at: maybeInstant,
  invited_at: maybeInstant,
  confirmation_sent_at: maybeInstant,
  recovery_sent_at: maybeInstant,
  email_change: z.string().nullable(),
  email_change_sent_at: maybeInstant,
  phone_change: z.string().nullable(),
  phone_change_sent_at: maybeInstant,
  reauthentication_sent_at: maybeInstant,
  last_sign_in_at: maybeInstant,
  banned_until: maybeInstant,
  deleted_at: maybeInstant,
  created_at: maybeInstant,
  updated_at: maybeInstant,
  is_sso_user: z.boolean(),
  is_anonymous: z.boolean(),
  identities: z.array(identitySchema),
  factors: z.array(factorSchema),
});

/** An account with its identities and factors, as `auth.users` keeps it. */
export type User = z.infer<typeof userSchema>;

const SELECT_USER = `select u.*,
    (select coalesce(json_agg(i order by i.created_at, i.id), '[]') from auth.identities i where i.user_id = u.id) as identities,
    (select coalesce(json_agg(f order by f.created_at, f.id), '[]') from auth.mfa_factors f where f.user_id = u.id) as factors
  from auth.users u`;

/** Reads an account. */
export async function findUserById(tx: Transaction, id: string): Promise<User | undefined> {
  return (await select(tx, "where u.id = $1", [id]))[0];
}

/** Reads an account and keeps others from changing it until the transaction ends. */
export async function lockUser(tx: Transaction, id: string): Promise<User | undefined> {
  return (await select(tx, "where u.id = $1 for update of u", [id]))[0];
}

/** Finds the account that signs in with an address; single sign-on accounts never do. */
export async function findUserByEmail(tx: Transaction, email: string): Promise<User | undefined> {
  return (await select(tx, "where u.email = $1 and not u.is_sso_user", [email.toLowerCase()]))[0];
}

/** Finds the account that signs in with a number, in its stored form. */
export async function findUserByPhone(tx: Transaction, phone: string): Promise<User | undefined> {
  return (await select(tx, "where u.phone = $1 and not u.is_sso_user", [phone]))[0];
}

/** Reads one page of all accounts, newest first unless `oldestFirst`; `filter` is looked for in addresses and names. */
export async function listUsers(
  tx: Transaction,
  page: { limit: number; offset: number; filter: string; oldestFirst: boolean },
): Promise<{ users: User[]; total: number }> {
  const where = `where $1 = '' or u.email ilike $2 or u.raw_user_meta_data ->> 'full_name' ilike $2`;
  const values = [page.filter, `%${page.filter.replaceAll(/[\\%_]/g, "\\$&")}%`];
  const [count] = await tx.query<{ total: number }>(`select count(*)::integer as total from auth.users u ${where}`, values);
  const order = page.oldestFirst ? "asc" : "desc";
  const users = await select(tx, `${where} order by u.created_at ${order}, u.id limit $3 offset $4`, [...values, page.limit, page.offset]);
  return { users, total: count?.total ?? 0 };
}

/** Says whether an account is banned at this moment. */
export function isBanned(user: User): boolean {
  return user.banned_until !== null && user.banned_until > new Date();
}

/** Says whether an account has a second factor that counts. */
export function hasVerifiedFactor(user: User): boolean {
  return user.factors.some(({ status }) => status === "verified");
}

async function select(tx: Transaction, where: string, values: SqlValue[]): Promise<User[]> {
  const rows = await tx.query(`${SELECT_USER} ${where}`, values);
  return rows.map((row) => userSchema.parse(row));
}
