import { z } from "zod";
import type { Transaction } from "../../db/database.ts";
import { requireEmail } from "../accounts/addresses.ts";
import { audit } from "../audit.ts";
import { metadata, text } from "../body-fields.ts";
import { readJson } from "../../read-json.ts";
import type { Call } from "../context.ts";
import { AuthError } from "../errors.ts";
import { mailLink } from "../codes/links.ts";
import { limitMessage } from "../limits.ts";
import { redirectTarget } from "../redirect-allow-list.ts";
import { json } from "../responses.ts";
import { insertUser } from "../accounts/user-changes.ts";
import { userJson } from "../accounts/user-json.ts";
import { findUserByEmail, type User } from "../accounts/users.ts";
import { invited } from "./invitations.ts";

const bodySchema = z.object({ email: text, data: metadata });

/** `POST invite`: makes an account, or takes one that was never confirmed, and mails its owner a link into it. */
export async function invite(call: Call): Promise<Response> {
  const { auth } = call;
  const { email: given, data } = await readJson(call.request, bodySchema);
  const email = requireEmail(given);
  await auth.database.transaction((tx) => findInvitable(tx, email), { readOnly: true });
  await limitMessage(auth, "email", { address: email, purpose: "invite", sent: true });
  const user = await auth.database.transaction(async (tx) => {
    const present = await findInvitable(tx, email);
    const account = present ?? (await insertUser(tx, { email, passwordHash: null, userMetadata: data, identityData: data }));
    await mailLink(tx, auth, { user: account, purpose: "invite", mailbox: email, redirectTo: redirectTarget(call) });
    await audit(tx, call, "user_invited", "service_role", { user_id: account.id, user_email: email });
    return invited(tx, account.id);
  });
  auth.mailer.wake();
  return json(userJson(user));
}

/** The account an address has, if it was never confirmed. Fails with a 422 when it was. */
async function findInvitable(tx: Transaction, email: string): Promise<User | undefined> {
  const present = await findUserByEmail(tx, email);
  if (present?.email_confirmed_at) throw new AuthError(422, "email_exists", "A user with this email address has already been registered");
  return present;
}
