import type { Transaction } from "../../db/database.ts";
import { findUserById, type User } from "../accounts/users.ts";

/** Notes that an account nobody has confirmed is invited, and returns it as it is then. */
export async function invited(tx: Transaction, userId: string): Promise<User> {
  // Whoever chose a password for it has not proven to be who is invited.
  await tx.query("update auth.users set encrypted_password = null, invited_at = now(), updated_at = now() where id = $1", [userId]);
  const user = await findUserById(tx, userId);
  if (!user) throw new Error("An account vanished inside the transaction that invites it");
  return user;
}
