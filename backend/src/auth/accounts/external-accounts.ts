import type { Transaction } from "../../db/database.ts";
import { audit } from "../audit.ts";
import type { Call } from "../context.ts";
import { AuthError } from "../errors.ts";
import { forgetOldProofs } from "../tokens/sessions.ts";
import { insertUser } from "./user-changes.ts";
import { findUserByEmail, findUserById, isBanned, lockUser, type User } from "./users.ts";
import { describeIdentities, holdIdentity, ownerOfIdentity, saveIdentity } from "./identity-rows.ts";
import type { Vouched } from "./external-profile.ts";

/** What kind of account somebody vouched for may have. */
export interface AccountKind {
  /** May be without a verified address. */
  emailOptional?: boolean;
  /** Belongs to one identity provider alone, which its address always comes from, and is never linked. */
  sso?: boolean;
}

/**
 * Finds the account of whom a provider vouches for: by the identity, else by an address the provider has verified, else
 * a new one where config.toml allows that. Fails with an `AuthError`.
 */
export async function accountOf(tx: Transaction, call: Call, vouched: Vouched, kind: AccountKind = {}): Promise<User> {
  await holdIdentity(tx, vouched.provider, vouched.subject);
  const owner = await ownerOfIdentity(tx, vouched.provider, vouched.subject);
  const existing = owner === undefined ? await accountToLink(tx, vouched, kind) : await lockUser(tx, owner);
  const user = existing ?? (await createAccount(tx, call, vouched, kind));
  if (isBanned(user)) throw new AuthError(403, "user_banned", "User is banned");
  await saveIdentity(tx, user.id, vouched);
  await describeIdentities(tx, user.id, vouched.data);
  if (kind.sso) await tx.query("update auth.users set email = $2 where id = $1", [user.id, vouched.email]);
  const current = await reread(tx, user.id);
  await audit(tx, call, "login", current, { provider: vouched.provider });
  return current;
}

/** Gives an identity to the account that asked for it. Fails with a 422 when somebody has it already. */
export async function linkIdentity(tx: Transaction, call: Call, userId: string, vouched: Vouched): Promise<User> {
  await holdIdentity(tx, vouched.provider, vouched.subject);
  const user = await lockUser(tx, userId);
  if (!user) throw new AuthError(403, "user_not_found", "User from sub claim in JWT does not exist");
  const owner = await ownerOfIdentity(tx, vouched.provider, vouched.subject);
  if (owner !== undefined) {
    const whose = owner === userId ? "Identity is already linked" : "Identity is already linked to another user";
    throw new AuthError(422, "identity_already_exists", whose);
  }
  if (user.email === null && vouched.emailVerified && vouched.email !== null) await takeAddress(tx, user.id, vouched.email);
  await saveIdentity(tx, user.id, vouched);
  await describeIdentities(tx, user.id, vouched.data);
  const current = await reread(tx, user.id);
  await audit(tx, call, "user_modified", current, { linked: vouched.provider });
  return current;
}

/** The account whose own, confirmed address the provider has verified; one that never confirmed it loses what it had. */
async function accountToLink(tx: Transaction, { email, emailVerified }: Vouched, { sso }: AccountKind): Promise<User | undefined> {
  if (sso || email === null || !emailVerified) return undefined;
  const found = await findUserByEmail(tx, email);
  const user = found && (await lockUser(tx, found.id));
  if (!user || user.email_confirmed_at) return user;
  // Whoever is in by another way has only claimed the address.
  if (user.phone_confirmed_at || user.identities.some(({ provider }) => provider !== "email" && provider !== "phone"))
    throw new AuthError(422, "email_exists", "A user with this email address has already been registered");
  await forgetOldProofs(tx, user.id);
  await tx.query("delete from auth.mfa_factors where user_id = $1", [user.id]);
  await tx.query("update auth.users set encrypted_password = null, phone = null, email_confirmed_at = now() where id = $1", [user.id]);
  await tx.query("delete from auth.identities where user_id = $1", [user.id]);
  return reread(tx, user.id);
}

async function createAccount(tx: Transaction, call: Call, vouched: Vouched, kind: AccountKind): Promise<User> {
  if (!call.auth.settings.enable_signup) throw new AuthError(422, "signup_disabled", "Signups not allowed for this instance");
  const email = vouched.emailVerified ? vouched.email : null;
  // An address nobody has verified must not become the one that policies and other providers go by.
  if (email === null && !kind.emailOptional)
    throw new AuthError(422, "provider_email_needs_verification", `Unverified email with ${vouched.provider}`);
  const user = await insertUser(tx, {
    passwordHash: null,
    ...(email !== null && { email, emailConfirmed: true }),
    provider: vouched.provider,
    isSso: kind.sso ?? false,
  });
  await audit(tx, call, "user_signedup", user, { provider: vouched.provider });
  return user;
}

/** A first address, unless it is another account's. */
async function takeAddress(tx: Transaction, userId: string, email: string): Promise<void> {
  if (await findUserByEmail(tx, email)) return;
  await tx.query("update auth.users set email = $2, email_confirmed_at = now(), is_anonymous = false where id = $1", [userId, email]);
}

async function reread(tx: Transaction, userId: string): Promise<User> {
  const user = await findUserById(tx, userId);
  if (!user) throw new Error("An account vanished inside the transaction that holds it");
  return user;
}
