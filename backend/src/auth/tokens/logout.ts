import { audit } from "../audit.ts";
import type { Caller } from "../bearer.ts";
import type { Call } from "../context.ts";
import { validationFailed } from "../errors.ts";
import { endSessions } from "./sessions.ts";

const SCOPES = new Set(["global", "local", "others"]);

/** `POST logout?scope=`: ends all sessions of the caller, the current one, or all others. */
export async function logout(call: Call, { user, session }: Caller): Promise<Response> {
  const scope = new URL(call.request.url).searchParams.get("scope") || "global";
  if (!SCOPES.has(scope)) throw validationFailed(`Unsupported logout scope "${scope}"`);
  await call.auth.database.transaction(async (tx) => {
    // A token without a session always ends all sessions.
    const which = !session || scope === "global" ? {} : { [scope === "local" ? "only" : "keep"]: session.id };
    await endSessions(tx, user.id, which);
    await audit(tx, call, "logout", user);
  });
  return new Response(null, { status: 204 });
}
