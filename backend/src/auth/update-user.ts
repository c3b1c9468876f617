import { z } from "zod";
import { requireEmail, requirePhone } from "./addresses.ts";
import { audit } from "./audit.ts";
import { sessionNotFound, type Caller } from "./bearer.ts";
import { metadata, readBody, text } from "./body.ts";
import type { Call } from "./context.ts";
import { AuthError } from "./errors.ts";
import { requireStrongPassword } from "./password-policy.ts";
import { json } from "./responses.ts";
import { findSession, forgetOldProofs } from "./sessions.ts";
import { updateUser as writeUser, type UserChanges } from "./user-changes.ts";
import { userJson } from "./user-json.ts";
import { findUserByEmail, hasVerifiedFactor, lockUser, type User } from "./users.ts";

const bodySchema = z.object({
  email: text.transform((email) => (email === "" ? undefined : requireEmail(email))),
  phone: text.transform((phone) => (phone === "" ? undefined : requirePhone(phone))),
  password: z
    .string()
    .nullish()
    .transform((password) => password ?? undefined),
  data: metadata,
  app_metadata: metadata,
});

/** What of the caller's own account is to change; an address or password that stays the same is absent. */
interface Wish {
  email: string | undefined;
  phone: string | undefined;
  password: string | undefined;
  data: Record<string, unknown> | undefined;
}

/** `PUT user`: changes the caller's own password, metadata or address. */
export async function updateUser(call: Call, caller: Caller): Promise<Response> {
  const { auth } = call;
  const { app_metadata: appMetadata, ...wish } = await readBody(call.request, bodySchema);
  if (wish.password !== undefined) requireStrongPassword(wish.password, auth.settings);
  if (appMetadata) throw new AuthError(403, "not_admin", "Updating app_metadata requires admin privileges");
  if (wish.email === caller.user.email) wish.email = undefined;
  if (wish.phone === caller.user.phone) wish.phone = undefined;
  requireRight(caller, wish);
  await requireFreeAddress(call, caller.user, wish);
  const changes = await changesOf(call, caller.user, wish);
  const user = await apply(call, caller, changes);
  return json(userJson(user));
}

/** Who may change credentials at all, in the order clients know. */
function requireRight({ user, assurance }: Caller, { email, phone, password }: Wish): void {
  if (email === undefined && phone === undefined && password === undefined) return;
  if (hasVerifiedFactor(user) && assurance !== "aal2")
    throw new AuthError(401, "insufficient_aal", "AAL2 session is required to update email or password when MFA is enabled.");
  if (user.is_anonymous && email === undefined && phone === undefined)
    throw new AuthError(422, "validation_failed", "Updating password of an anonymous user without an email or phone is not allowed");
  if (user.is_sso_user)
    throw new AuthError(422, "user_sso_managed", "Updating email, phone, password of a SSO account only possible via SSO");
}

async function requireFreeAddress({ auth }: Call, user: User, { email, phone }: Wish): Promise<void> {
  if (phone !== undefined) throw new AuthError(400, "phone_provider_disabled", "Phone numbers cannot be changed here");
  if (email === undefined) return;
  const holder = await auth.database.transaction((tx) => findUserByEmail(tx, email), { readOnly: true });
  if (holder) throw new AuthError(422, "email_exists", "A user with this email address has already been registered");
  // Only a first address, where none needs confirming, can be taken on without mail.
  if (!user.is_anonymous || auth.settings.email.enable_confirmations)
    throw new AuthError(422, "email_provider_disabled", "Email addresses cannot be changed here");
}

async function changesOf({ auth }: Call, user: User, { email, password, data }: Wish): Promise<UserChanges> {
  const changes: UserChanges = { userMetadata: data, ...(email !== undefined && firstAddress(email)) };
  if (password === undefined) return changes;
  if (user.encrypted_password && (await auth.passwords.verify(user.encrypted_password, password)))
    throw new AuthError(422, "same_password", "New password should be different from the old password.");
  return { ...changes, passwordHash: await auth.passwords.hash(password) };
}

function firstAddress(email: string): UserChanges {
  return { email, confirmEmail: true, permanent: true, appMetadata: { provider: "email", providers: ["email"] } };
}

async function apply(call: Call, { user, session }: Caller, changes: UserChanges): Promise<User> {
  return call.auth.database.transaction(async (tx) => {
    const current = await lockUser(tx, user.id);
    // Hashing took its time outside: a session ended meanwhile, perhaps because it was stolen, changes nothing any more.
    if (!current || (session && !(await findSession(tx, session.id)))) throw sessionNotFound();
    const updated = await writeUser(tx, current, changes);
    if (changes.passwordHash !== undefined) {
      await forgetOldProofs(tx, user.id, session?.id);
      await audit(tx, call, "user_updated_password", updated);
    }
    await audit(tx, call, "user_modified", updated);
    return updated;
  });
}
