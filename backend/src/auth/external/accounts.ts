import type { Transaction } from "../../db/database.ts";
import { lockIdentity, ownerOfIdentity, saveIdentity } from "../accounts/identities.ts";
import { insertUser } from "../accounts/user-changes.ts";
import { findUserByEmail, readUser, isBanned, lockUser, type User } from "../accounts/users.ts";
import { audit } from "../audit.ts";
import type { Call } from "../context.ts";
import { AuthError, emailExists } from "../errors.ts";
import { endOldProofs } from "../tokens/sessions.ts";
import type { ExternalProfile } from "./profile.ts";

/** Options of an account that belongs to an external profile. */
interface AccountKind {
  /** The account may have no verified address. */
  emailOptional?: boolean;
  /** The account belongs to one SAML provider, which alone sets its address, and is never linked to another identity. */
  sso?: boolean;
}

/**
 * Finds the account of an external profile: by its identity, else by a verified address. Creates an account if none exists
 * and config.toml allows sign-up. Fails with an `AuthError`.
 */
export async function accountOf(tx: Transaction, call: Call, profile: ExternalProfile, kind: AccountKind = {}): Promise<User> {
  await lockIdentity(tx, profile);
  const owner = await ownerOfIdentity(tx, profile);
  const existing = owner === undefined ? await accountToLink(tx, profile, kind) : await lockUser(tx, owner);
  const user = existing ?? (await createAccount(tx, call, profile, kind));
  if (isBanned(user)) throw new AuthError(403, "user_banned", "User is banned");
  await saveIdentity(tx, user.id, profile);
  if (kind.sso) await tx.query("update auth.users set email = $2 where id = $1", [user.id, profile.email]);
  const current = await readUser(tx, user.id);
  await audit(tx, call, "login", current, { provider: profile.provider });
  return current;
}

/** Adds an identity to an account. Fails with a 422 if the identity belongs to an account. */
export async function linkIdentity(tx: Transaction, call: Call, userId: string, profile: ExternalProfile): Promise<User> {
  await lockIdentity(tx, profile);
  const user = await lockUser(tx, userId);
  if (!user) throw new AuthError(403, "user_not_found", "User from sub claim in JWT does not exist");
  const owner = await ownerOfIdentity(tx, profile);
  if (owner !== undefined) {
    const message = owner === userId ? "Identity is already linked" : "Identity is already linked to another user";
    throw new AuthError(422, "identity_already_exists", message);
  }
  if (user.email === null && profile.emailVerified && profile.email !== null) await setFirstAddress(tx, user.id, profile.email);
  await saveIdentity(tx, user.id, profile);
  const current = await readUser(tx, user.id);
  await audit(tx, call, "user_modified", current, { linked: profile.provider });
  return current;
}

/** Finds the account with the verified address of a profile. An account that never confirmed the address is emptied first. */
async function accountToLink(tx: Transaction, { email, emailVerified }: ExternalProfile, { sso }: AccountKind): Promise<User | undefined> {
  if (sso || email === null || !emailVerified) return undefined;
  const found = await findUserByEmail(tx, email);
  const user = found && (await lockUser(tx, found.id));
  if (!user || user.email_confirmed_at) return user;
  // The owner of this account signs in another way and never proved the address.
  if (user.phone_confirmed_at || user.identities.some(({ provider }) => provider !== "email" && provider !== "phone")) throw emailExists();
  await endOldProofs(tx, user.id);
  await tx.query("delete from auth.mfa_factors where user_id = $1", [user.id]);
  await tx.query("update auth.users set encrypted_password = null, phone = null, email_confirmed_at = now() where id = $1", [user.id]);
  await tx.query("delete from auth.identities where user_id = $1", [user.id]);
  return readUser(tx, user.id);
}

async function createAccount(tx: Transaction, call: Call, profile: ExternalProfile, kind: AccountKind): Promise<User> {
  if (!call.auth.settings.enable_signup) throw new AuthError(422, "signup_disabled", "Signups not allowed for this instance");
  const email = profile.emailVerified ? profile.email : null;
  // Policies and other providers trust the address of an account, so it must be verified.
  if (email === null && !kind.emailOptional)
    throw new AuthError(422, "provider_email_needs_verification", `Unverified email with ${profile.provider}`);
  const user = await insertUser(tx, {
    passwordHash: null,
    ...(email !== null && { email, emailConfirmed: true }),
    provider: profile.provider,
    isSso: kind.sso ?? false,
  });
  await audit(tx, call, "user_signedup", user, { provider: profile.provider });
  return user;
}

/** Sets the first address of an account unless another account has it. */
async function setFirstAddress(tx: Transaction, userId: string, email: string): Promise<void> {
  if (await findUserByEmail(tx, email)) return;
  await tx.query("update auth.users set email = $2, email_confirmed_at = now(), is_anonymous = false where id = $1", [userId, email]);
}
