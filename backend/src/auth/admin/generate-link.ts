import { z } from "zod";
import type { Transaction } from "../../db/database.ts";
import { requireEmail } from "../accounts/addresses.ts";
import { beginEmailChange } from "../accounts/email-change.ts";
import { audit } from "../audit.ts";
import { metadata, text } from "../body-fields.ts";
import { LONG_JSON_BYTES, readJson } from "../../body/read-json.ts";
import type { Call } from "../context.ts";
import { AuthError, emailExists, validationFailed } from "../errors.ts";
import { isLinkPurpose, issueLink, type LinkPurpose } from "../codes/links.ts";
import { requireStrongPassword } from "../accounts/password-policy.ts";
import { redirectTarget } from "../redirect-allow-list.ts";
import { json } from "../responses.ts";
import { insertUser } from "../accounts/user-changes.ts";
import { findUserByEmail, readUser, type User, userJson } from "../accounts/users.ts";
import { markInvited } from "./invite.ts";

const bodySchema = z.object({ type: text, email: text, password: text, new_email: text, data: metadata, redirect_to: text });

interface LinkOptions {
  type: LinkPurpose;
  email: string;
  newEmail: string;
  passwordHash: string | null;
  data: Record<string, unknown> | undefined;
}

/** `POST admin/generate_link`: returns the link that a mail would contain, and sends no mail. */
export async function generateLink(call: Call): Promise<Response> {
  const { auth } = call;
  const { type, password, ...body } = await readJson(call.request, bodySchema, { maxBytes: LONG_JSON_BYTES });
  if (!isLinkPurpose(type)) throw validationFailed(`Invalid email action link type requested: ${type}`);
  const email = requireEmail(body.email);
  const newEmail = type.startsWith("email_change") ? requireEmail(body.new_email) : "";
  const redirectTo = (body.redirect_to && auth.redirects.allowed(body.redirect_to)) || redirectTarget(call);
  const passwordHash = type === "signup" ? await hashPassword(call, password) : null;
  const { current, link } = await auth.database.transaction(async (tx) => {
    const { user, purpose } = await accountFor(tx, call, { type, email, newEmail, passwordHash, data: body.data });
    const mailbox = purpose === "email_change_new" ? newEmail : email;
    const issued = await issueLink(tx, auth, { user, purpose, mailbox, redirectTo });
    await audit(tx, call, "link_generated", "service_role", { user_id: user.id, type: purpose });
    const account = purpose === "invite" ? await markInvited(tx, user.id) : await readUser(tx, user.id);
    return { current: account, link: issued };
  });
  const { url, otp, hash, type: verification } = link;
  return json({
    ...userJson(current),
    action_link: url,
    email_otp: otp,
    hashed_token: hash,
    verification_type: verification,
    redirect_to: redirectTo,
  });
}

async function hashPassword({ auth }: Call, password: string): Promise<string> {
  if (password === "") throw validationFailed("Signup requires a valid password");
  requireStrongPassword(password, auth.settings);
  return auth.passwords.hash(password);
}

/** Finds or creates the account of a link; a sign-in link without an account becomes a sign-up link. */
async function accountFor(tx: Transaction, call: Call, options: LinkOptions): Promise<{ user: User; purpose: LinkPurpose }> {
  const { type, email, newEmail } = options;
  const present = await findUserByEmail(tx, email);
  if (type === "signup" || type === "invite" || (type === "magiclink" && !present)) {
    if (present?.email_confirmed_at) throw emailExists();
    const user = present ?? (await createAccount(tx, call, options));
    return { user, purpose: type === "invite" ? type : "signup" };
  }
  if (!present) throw new AuthError(404, "user_not_found", "User with this email not found");
  if (newEmail === "") return { user: present, purpose: type };
  if (await findUserByEmail(tx, newEmail)) throw emailExists();
  return { user: present.email_change === newEmail ? present : await beginEmailChange(tx, present, newEmail), purpose: type };
}

async function createAccount(tx: Transaction, call: Call, { email, passwordHash, data }: LinkOptions): Promise<User> {
  const user = await insertUser(tx, { email, passwordHash, userMetadata: data, identityData: data });
  await audit(tx, call, "user_signedup", "service_role", { user_id: user.id, user_email: email });
  return user;
}
