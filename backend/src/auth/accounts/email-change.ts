import type { Transaction } from "../../db/database.ts";
import type { AuthContext } from "../context.ts";
import type { CodeChallenge } from "../codes/flow-state.ts";
import { mailLink } from "../codes/links.ts";
import { updateUser } from "./user-changes.ts";
import { readUser, type User } from "./users.ts";

/** Mails confirmation links for a new email address, to the old address too if the project requires both. */
export async function startEmailChange(
  tx: Transaction,
  auth: AuthContext,
  user: User,
  { to, redirectTo, challenge }: { to: string; redirectTo: string; challenge: CodeChallenge | undefined },
): Promise<User> {
  const changing = await beginEmailChange(tx, user, to);
  if (user.email && auth.settings.email.double_confirm_changes)
    await mailLink(tx, auth, { user: changing, purpose: "email_change_current", mailbox: user.email, redirectTo, challenge });
  await mailLink(tx, auth, { user: changing, purpose: "email_change_new", mailbox: to, redirectTo, challenge });
  return readUser(tx, user.id);
}

/** Records the new email address of an account; a link of an earlier request must not confirm it. */
export async function beginEmailChange(tx: Transaction, user: User, to: string): Promise<User> {
  await tx.query("update auth.users set email_change = $2, email_change_confirm_status = 0 where id = $1", [user.id, to]);
  await tx.query("delete from auth.one_time_tokens where user_id = $1 and token_type::text like 'email_change_token%'", [user.id]);
  return { ...user, email_change: to };
}

/** Counts one confirmation; returns the account after the last one, undefined while another is missing. */
export async function confirmEmailChange(tx: Transaction, auth: AuthContext, user: User): Promise<User | undefined> {
  const [row] = await tx.query<{ given: number }>(
    "update auth.users set email_change_confirm_status = email_change_confirm_status + 1 where id = $1 returning email_change_confirm_status as given",
    [user.id],
  );
  const required = user.email && auth.settings.email.double_confirm_changes ? 2 : 1;
  if ((row?.given ?? 0) < required) return undefined;
  return moveTo(tx, user, user.email_change ?? "");
}

/** Changes the email address of an account and deletes all codes and links sent to the old one. */
export async function moveTo(tx: Transaction, user: User, email: string): Promise<User> {
  await tx.query(
    "update auth.users set email_change = '', email_change_confirm_status = 0, email_confirmed_at = now(), email_change_sent_at = null where id = $1",
    [user.id],
  );
  await tx.query("delete from auth.one_time_tokens where user_id = $1", [user.id]);
  return updateUser(tx, user, { email, confirmEmail: true, permanent: true });
}
