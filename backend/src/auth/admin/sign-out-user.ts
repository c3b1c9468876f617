import { audit } from "../audit.ts";
import type { Call } from "../context.ts";
import { endSessions } from "../tokens/sessions.ts";
import { lockUser } from "../accounts/users.ts";
import { userOfPath } from "./user-by-id.ts";

/** `POST admin/users/{id}/logout`: ends every session of an account, and with them its access tokens. */
export async function signOutUser(call: Call): Promise<Response> {
  await call.auth.database.transaction(async (tx) => {
    const user = await userOfPath(call, tx, lockUser);
    await endSessions(tx, user.id);
    await audit(tx, call, "logout", "service_role", { user_id: user.id, user_email: user.email });
  });
  return new Response(null, { status: 204 });
}
