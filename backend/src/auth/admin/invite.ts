import { z } from "zod";
import type { Transaction } from "../../db/database.ts";
import { LONG_JSON_BYTES, readJson } from "../../body/read-json.ts";
import { requireEmail } from "../accounts/addresses.ts";
import { insertUser } from "../accounts/user-changes.ts";
import { findUserByEmail, readUser, userJson, type User } from "../accounts/users.ts";
import { audit } from "../audit.ts";
import { metadata, text } from "../body-fields.ts";
import { mailLink } from "../codes/links.ts";
import type { Call } from "../context.ts";
import { emailExists } from "../errors.ts";
import { limitMessage } from "../limits.ts";
import { redirectTarget } from "../redirect-allow-list.ts";
import { json } from "../responses.ts";

const bodySchema = z.object({ email: text, data: metadata });

/** `POST invite`: mails a link to a new account, or to one that was never confirmed. */
export async function invite(call: Call): Promise<Response> {
  const { auth } = call;
  const { email: given, data } = await readJson(call.request, bodySchema, { maxBytes: LONG_JSON_BYTES });
  const email = requireEmail(given);
  await auth.database.transaction((tx) => findInvitable(tx, email), { readOnly: true });
  await limitMessage(auth, { channel: "email", value: email }, { purpose: "invite", sent: true });
  const user = await auth.database.transaction(async (tx) => {
    const present = await findInvitable(tx, email);
    const account = present ?? (await insertUser(tx, { email, passwordHash: null, userMetadata: data, identityData: data }));
    await mailLink(tx, auth, { user: account, purpose: "invite", mailbox: email, redirectTo: redirectTarget(call) });
    await audit(tx, call, "user_invited", "service_role", { user_id: account.id, user_email: email });
    return markInvited(tx, account.id);
  });
  auth.mailer.wake();
  return json(userJson(user));
}

/** Finds the account of an address. Fails with a 422 if the account is confirmed. */
async function findInvitable(tx: Transaction, email: string): Promise<User | undefined> {
  const present = await findUserByEmail(tx, email);
  if (present?.email_confirmed_at) throw emailExists();
  return present;
}

/** Records the invitation of an unconfirmed account and returns the account. */
export async function markInvited(tx: Transaction, userId: string): Promise<User> {
  // A password that was set before may come from somebody who does not own the address.
  await tx.query("update auth.users set encrypted_password = null, invited_at = now(), updated_at = now() where id = $1", [userId]);
  return readUser(tx, userId);
}
