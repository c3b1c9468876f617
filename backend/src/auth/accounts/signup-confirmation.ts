import type { Transaction } from "../../db/database.ts";
import { audit } from "../audit.ts";
import { AUDIENCE, type Call } from "../context.ts";
import { withMinimumDuration } from "../minimum-duration.ts";
import type { CodeChallenge } from "../codes/flow-state.ts";
import { mailLink } from "../codes/links.ts";
import { limitMessage } from "../limits.ts";
import { issuePhoneCode, sendPhoneCode } from "../codes/phone-codes.ts";
import { redirectTarget } from "../redirect-allow-list.ts";
import { json } from "../responses.ts";
import { insertUser, type NewUser } from "./user-changes.ts";
import { userJson } from "./user-json.ts";
import { findUserByEmail, findUserById, findUserByPhone, type User } from "./users.ts";

/** Makes an account that counts once its mailbox is proven; of an account that is there already nothing is said, or changed. */
export async function confirmByMail(
  call: Call,
  account: NewUser & { email: string },
  challenge: CodeChallenge | undefined,
): Promise<Response> {
  const { auth } = call;
  const { email } = account;
  return withMinimumDuration(async () => {
    const known = await auth.database.transaction((tx) => findUserByEmail(tx, email), { readOnly: true });
    await limitMessage(auth, "email", { address: email, purpose: "signup", sent: !known?.email_confirmed_at });
    const user = await auth.database.transaction(async (tx) => {
      const pending = await pendingAccount(tx, call, account, await findUserByEmail(tx, email));
      if (!pending) return undefined;
      await mailLink(tx, auth, { user: pending, purpose: "signup", mailbox: email, redirectTo: redirectTarget(call), challenge });
      return findUserById(tx, pending.id);
    });
    auth.mailer.wake();
    return json(user ? userJson(user) : veiled(account, "email"));
  });
}

/** Makes an account that counts once its number is proven. Fails with a 422 when the message is not taken. */
export async function confirmByPhone(call: Call, account: NewUser & { phone: string }): Promise<Response> {
  const { auth } = call;
  const { phone } = account;
  return withMinimumDuration(async () => {
    const known = await auth.database.transaction((tx) => findUserByPhone(tx, phone), { readOnly: true });
    await limitMessage(auth, "sms", { address: phone, purpose: "signup", sent: !known?.phone_confirmed_at });
    const made = await auth.database.transaction(async (tx) => {
      const pending = await pendingAccount(tx, call, account, await findUserByPhone(tx, phone));
      if (!pending) return undefined;
      const message = await issuePhoneCode(tx, auth, { user: pending, phone, type: "sms" });
      return { message, user: await findUserById(tx, pending.id) };
    });
    await sendPhoneCode(auth, made?.message ?? null);
    return json(made?.user ? userJson(made.user) : veiled(account, "phone"));
  });
}

/** The account still to be confirmed, made if there is none; undefined when it has been confirmed long since. */
async function pendingAccount(tx: Transaction, call: Call, account: NewUser, present: User | undefined): Promise<User | undefined> {
  if (present && (account.email === undefined ? present.phone_confirmed_at : present.email_confirmed_at)) return undefined;
  if (present) {
    await audit(tx, call, "user_confirmation_requested", present);
    return present;
  }
  const user = await insertUser(tx, account);
  await audit(tx, call, "user_signedup", user);
  return user;
}

/** An account like a new one, of nobody. */
function veiled(account: NewUser, provider: "email" | "phone"): Record<string, unknown> {
  const now = new Date().toISOString();
  return {
    id: crypto.randomUUID(),
    aud: AUDIENCE,
    role: "",
    email: account.email ?? "",
    phone: account.phone ?? "",
    confirmation_sent_at: now,
    app_metadata: { provider, providers: [provider] },
    user_metadata: account.identityData ?? {},
    identities: [],
    created_at: now,
    updated_at: now,
    is_anonymous: false,
  };
}
