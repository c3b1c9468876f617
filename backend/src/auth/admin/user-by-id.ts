import { z } from "zod";
import type { Transaction } from "../../db/database.ts";
import type { Call } from "../context.ts";
import { AuthError } from "../errors.ts";
import type { User } from "../accounts/users.ts";

const uuid = z.guid();

/** Finds the account a path names by its `id`. Fails with a 404. */
export async function userOfPath(
  { params }: Call,
  tx: Transaction,
  find: (tx: Transaction, id: string) => Promise<User | undefined>,
): Promise<User> {
  const id = uuid.safeParse(params.id);
  if (!id.success) throw new AuthError(404, "validation_failed", "user_id must be an UUID");
  const user = await find(tx, id.data);
  if (!user) throw new AuthError(404, "user_not_found", "User not found");
  return user;
}
