import type { Call } from "../context.ts";
import { json } from "../responses.ts";
import { userJson } from "../accounts/user-json.ts";
import { findUserById } from "../accounts/users.ts";
import { userOfPath } from "./user-by-id.ts";

/** `GET admin/users/{id}`. */
export async function getUserById(call: Call): Promise<Response> {
  const user = await call.auth.database.transaction((tx) => userOfPath(call, tx, findUserById), { readOnly: true });
  return json(userJson(user));
}
