import { z } from "zod";
import type { Transaction } from "../../db/database.ts";
import { requireEmail, requirePhone } from "./addresses.ts";
import { audit } from "../audit.ts";
import { type Caller, sessionNotFound } from "../bearer.ts";
import { metadata, optionalText, text } from "../body-fields.ts";
import { readJson } from "../../body/read-json.ts";
import type { Call } from "../context.ts";
import { moveTo, startEmailChange } from "./email-change.ts";
import { AuthError, emailExists } from "../errors.ts";
import { challengeFields, type CodeChallenge, readChallenge } from "../codes/flow-state.ts";
import { limitMessage } from "../limits.ts";
import { type PasswordChange, preparePassword, spendNonce } from "./password-change.ts";
import { requireStrongPassword } from "./password-policy.ts";
import { deliverCode, issuePhoneCode, phoneEnabled, requireChannel } from "../codes/send-code.ts";
import { redirectTarget } from "../redirect-allow-list.ts";
import { json } from "../responses.ts";
import { endOldProofs, findSession } from "../tokens/sessions.ts";
import type { SmsMessage } from "../sms.ts";
import { updateUser } from "./user-changes.ts";
import { findUserByAddress, findUserByEmail, hasVerifiedFactor, lockUser, readUser, type User, userJson } from "./users.ts";

const bodySchema = z.object({
  email: optionalText.transform((email) => email && requireEmail(email)),
  phone: optionalText.transform((phone) => phone && requirePhone(phone)),
  password: z
    .string()
    .nullish()
    .transform((password) => password ?? undefined),
  current_password: text,
  nonce: text,
  data: metadata,
  app_metadata: metadata,
  channel: text,
  ...challengeFields,
});

/** The requested changes; an unchanged address is undefined. */
type RequestedChanges = Pick<z.infer<typeof bodySchema>, "email" | "phone" | "password" | "data">;

/** `GET user`: the caller's own account. */
export async function getUser(_call: Call, { user }: Caller): Promise<Response> {
  return json(userJson(user));
}

/** `PUT user`: changes the caller's password and metadata, and an address after its confirmation. */
export async function updateOwnUser(call: Call, caller: Caller): Promise<Response> {
  const { auth } = call;
  const body = await readJson(call.request, bodySchema);
  const { password, data, current_password: current, nonce } = body;
  const challenge = readChallenge(body);
  requireChannel(body.channel);
  if (password !== undefined) requireStrongPassword(password, auth.settings);
  if (body.app_metadata) throw new AuthError(403, "not_admin", "Updating app_metadata requires admin privileges");
  const requested: RequestedChanges = {
    email: body.email === caller.user.email ? undefined : body.email,
    phone: body.phone === caller.user.phone ? undefined : body.phone,
    password,
    data,
  };
  requireRight(caller, requested);
  await requireFreeAddress(call, requested);
  const change = password === undefined ? undefined : await preparePassword(call, caller, { password, current, nonce });
  await limitChange(call, caller.user, requested);
  const { user, message } = await apply(call, caller, { requested, change, challenge });
  await deliverCode(auth, message);
  return json(userJson(user));
}

/** Fails unless the caller may change credentials. The order of the checks is that of GoTrue. */
function requireRight({ user, assurance }: Caller, { email, phone, password }: RequestedChanges): void {
  if (email === undefined && phone === undefined && password === undefined) return;
  if (hasVerifiedFactor(user) && assurance !== "aal2")
    throw new AuthError(401, "insufficient_aal", "AAL2 session is required to update email or password when MFA is enabled.");
  if (user.is_anonymous && email === undefined && phone === undefined)
    throw new AuthError(422, "validation_failed", "Updating password of an anonymous user without an email or phone is not allowed");
  if (user.is_sso_user)
    throw new AuthError(422, "user_sso_managed", "Updating email, phone, password of a SSO account only possible via SSO");
}

async function requireFreeAddress({ auth }: Call, { email, phone }: RequestedChanges): Promise<void> {
  if (phone !== undefined && !phoneEnabled(auth))
    throw new AuthError(400, "phone_provider_disabled", "Phone numbers cannot be changed here");
  await auth.database.transaction(
    async (tx) => {
      if (email !== undefined && (await findUserByEmail(tx, email))) throw emailExists();
      if (phone !== undefined && (await findUserByAddress(tx, { channel: "phone", value: phone })))
        throw new AuthError(422, "phone_exists", "A user with this phone number has already been registered");
    },
    { readOnly: true },
  );
}

/** The first address of an anonymous account is set at once if the project requires no confirmation. */
function needsNoConfirmation({ auth }: Call, user: User): boolean {
  return user.is_anonymous && !auth.settings.email.enable_confirmations;
}

async function limitChange(call: Call, user: User, { email, phone }: RequestedChanges): Promise<void> {
  const { auth } = call;
  // Counted per account: each change has a different address.
  if (email !== undefined && !needsNoConfirmation(call, user))
    await limitMessage(auth, { channel: "email", value: user.id }, { purpose: "email_change", sent: true });
  if (phone !== undefined && auth.settings.sms.enable_confirmations)
    await limitMessage(auth, { channel: "phone", value: user.id }, { purpose: "phone_change", sent: true });
}

interface Changes {
  requested: RequestedChanges;
  change: PasswordChange | undefined;
  challenge: CodeChallenge | undefined;
}

async function apply(
  call: Call,
  { user, session }: Caller,
  { requested, change, challenge }: Changes,
): Promise<{ user: User; message: SmsMessage | null }> {
  const { auth } = call;
  return auth.database.transaction(async (tx) => {
    const current = await lockUser(tx, user.id);
    // The session may have ended while the password was hashed, for example because it was stolen.
    if (!current || (session && !(await findSession(tx, session.id)))) throw sessionNotFound();
    if (change?.nonce !== undefined) await spendNonce(tx, auth, current, change.nonce);
    let updated = await updateUser(tx, current, { userMetadata: requested.data, passwordHash: change?.hash });
    if (change) {
      await endOldProofs(tx, user.id, session?.id);
      await audit(tx, call, "user_updated_password", updated);
    }
    if (requested.email !== undefined && needsNoConfirmation(call, current)) updated = await moveTo(tx, updated, requested.email);
    else if (requested.email !== undefined)
      updated = await startEmailChange(tx, auth, updated, { to: requested.email, redirectTo: redirectTarget(call), challenge });
    const message = requested.phone === undefined ? null : await startPhoneChange(tx, call, updated, requested.phone);
    await audit(tx, call, "user_modified", updated);
    return { user: await readUser(tx, user.id), message };
  });
}

async function startPhoneChange(tx: Transaction, { auth }: Call, user: User, phone: string): Promise<SmsMessage | null> {
  if (!auth.settings.sms.enable_confirmations) {
    await updateUser(tx, user, { phone, confirmPhone: true, permanent: true });
    return null;
  }
  await tx.query("update auth.users set phone_change = $2 where id = $1", [user.id, phone]);
  return issuePhoneCode(tx, auth, { user: { ...user, phone_change: phone }, phone, type: "phone_change" });
}
