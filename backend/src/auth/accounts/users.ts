import { z } from "zod";
import type { SqlValue, Transaction } from "../../db/database.ts";
import type { Address } from "./addresses.ts";

/** Postgres' `infinity`, for example the end of a permanent ban, and years of five digits as the last time that a `Date` can hold. */
const END_OF_TIME = new Date(8.64e15);

const instant = z.string().transform((value) => (/^(infinity|\d{5})/.test(value) ? END_OF_TIME : new Date(value)));
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

/** A row of `auth.users` with its identities and factors. */
export type User = z.infer<typeof userSchema>;

const COLUMNS = Object.keys(userSchema.omit({ identities: true, factors: true }).shape).map((name) => `u.${name}`);

// One column of JSON, which the embedded database sends faster than a column per field.
const ACCOUNT = `(select to_json(account) from (select ${COLUMNS.join(", ")},
    array(select i from auth.identities i where i.user_id = u.id order by i.created_at, i.id) as identities,
    array(select f from auth.mfa_factors f where f.user_id = u.id order by f.created_at, f.id) as factors
  ) account) as account`;

/** Reads an account. */
export async function findUserById(tx: Transaction, id: string): Promise<User | undefined> {
  return (await select(tx, "where u.id = $1", [id]))[0];
}

/** Reads the account `u` whose id an SQL expression gives, and the row of another statement, in one statement. */
export async function findUserBeside(
  run: Transaction["query"],
  idExpression: string,
  statement: string,
  values: readonly SqlValue[],
): Promise<{ user: User; beside: unknown } | undefined> {
  const text = `select ${ACCOUNT}, (select to_json(beside) from (${statement}) beside) as beside from auth.users u where u.id = ${idExpression}`;
  const [row] = await run(text, values);
  return row && { user: userSchema.parse(row["account"]), beside: row["beside"] };
}

/** Reads an account that exists. */
export async function readUser(tx: Transaction, id: string): Promise<User> {
  const user = await findUserById(tx, id);
  if (!user) throw new Error("An account vanished inside the transaction that wrote it");
  return user;
}

/** Reads an account and locks it until the transaction ends. */
export async function lockUser(tx: Transaction, id: string): Promise<User | undefined> {
  return (await select(tx, "where u.id = $1 for update of u", [id]))[0];
}

/** Finds the account that signs in with an address. Single sign-on accounts are never found. */
export async function findUserByAddress(tx: Transaction, { channel, value }: Address): Promise<User | undefined> {
  const column = channel === "email" ? "u.email" : "u.phone";
  return (await select(tx, `where ${column} = $1 and not u.is_sso_user`, [value]))[0];
}

/** Finds the account that signs in with an email address. */
export function findUserByEmail(tx: Transaction, email: string): Promise<User | undefined> {
  return findUserByAddress(tx, { channel: "email", value: email });
}

/** Reads one page of all accounts, newest first unless `oldestFirst`; `filter` is part of an email address or a name. */
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

/** Returns true if an account is banned now. */
export function isBanned(user: User): boolean {
  return user.banned_until !== null && user.banned_until > new Date();
}

/** Returns true if an account has a verified second factor. */
export function hasVerifiedFactor(user: User): boolean {
  return user.factors.some(({ status }) => status === "verified");
}

/** Converts an account to the JSON of the API. Unset times are omitted and unset addresses are empty strings. */
export function userJson(user: User): Record<string, unknown> {
  const factors = user.factors.map(factorJson);
  return {
    id: user.id,
    aud: user.aud ?? "",
    role: user.role ?? "",
    email: user.email ?? "",
    email_confirmed_at: time(user.email_confirmed_at),
    invited_at: time(user.invited_at),
    phone: user.phone ?? "",
    phone_confirmed_at: time(user.phone_confirmed_at),
    confirmation_sent_at: time(user.confirmation_sent_at),
    confirmed_at: time(user.confirmed_at),
    recovery_sent_at: time(user.recovery_sent_at),
    new_email: user.email_change || undefined,
    email_change_sent_at: time(user.email_change_sent_at),
    new_phone: user.phone_change || undefined,
    phone_change_sent_at: time(user.phone_change_sent_at),
    reauthentication_sent_at: time(user.reauthentication_sent_at),
    last_sign_in_at: time(user.last_sign_in_at),
    app_metadata: user.raw_app_meta_data,
    user_metadata: user.raw_user_meta_data,
    factors: factors.length > 0 ? factors : undefined,
    identities: user.identities.map(identityJson),
    created_at: time(user.created_at),
    updated_at: time(user.updated_at),
    banned_until: time(user.banned_until),
    deleted_at: time(user.deleted_at),
    is_anonymous: user.is_anonymous,
  };
}

function identityJson(identity: User["identities"][number]): Record<string, unknown> {
  return {
    identity_id: identity.id,
    id: identity.provider_id,
    user_id: identity.user_id,
    identity_data: identity.identity_data,
    provider: identity.provider,
    last_sign_in_at: time(identity.last_sign_in_at),
    created_at: time(identity.created_at),
    updated_at: time(identity.updated_at),
    email: identity.email ?? undefined,
  };
}

/** Converts a second factor to the JSON of the API, without its secret. */
export function factorJson(factor: User["factors"][number]): Record<string, unknown> {
  return {
    id: factor.id,
    created_at: time(factor.created_at),
    updated_at: time(factor.updated_at),
    status: factor.status,
    friendly_name: factor.friendly_name || undefined,
    factor_type: factor.factor_type,
    phone: factor.phone,
    last_challenged_at: time(factor.last_challenged_at),
  };
}

function time(date: Date | null): string | undefined {
  return date?.toISOString();
}

async function select(tx: Transaction, where: string, values: SqlValue[]): Promise<User[]> {
  const rows = await tx.query(`select ${ACCOUNT} from auth.users u ${where}`, values);
  return rows.map(({ account }) => userSchema.parse(account));
}
