import { audit } from "../audit.ts";
import type { Call } from "../context.ts";
import { AuthError, errorFields } from "../errors.ts";
import { issueAuthCode } from "./flow-state.ts";
import { redirect } from "../responses.ts";
import { PKCE_PREFIX } from "./one-time-tokens.ts";
import { redirectTarget } from "../redirect-allow-list.ts";
import { type Grant, openSession } from "../tokens/sessions.ts";
import { tokenFields } from "../tokens/token-response.ts";
import { acceptProof, auditingRefusal, requireType } from "./verification.ts";
import { HALF_CONFIRMED } from "./verify.ts";

/** The flow methods that a link type can finish. */
const FLOWS: Readonly<Record<string, readonly string[]>> = {
  signup: ["email/signup"],
  invite: ["invite"],
  magiclink: ["magiclink"],
  recovery: ["recovery"],
  email_change: ["email_change"],
};

/** `GET verify?token&type&redirect_to`: the address in a mail. Success and failure are reported to the target page. */
export async function verifyLink(call: Call): Promise<Response> {
  const { searchParams: query } = new URL(call.request.url);
  const token = query.get("token") ?? "";
  const type = query.get("type") ?? "";
  const target = redirectTarget(call);
  const pkce = token.startsWith(PKCE_PREFIX);
  try {
    requireType(type, "email");
    const outcome = await auditingRefusal(call, type, () => spend(call, { token, type, pkce }));
    if (outcome === "half") return redirect(target, { fragment: { message: HALF_CONFIRMED, sb: "" } });
    if (typeof outcome === "string") return redirect(target, { query: { code: outcome } });
    const { access_token, token_type, expires_in, expires_at, refresh_token } = await tokenFields(call.auth, outcome);
    return redirect(target, { fragment: { access_token, expires_at, expires_in, refresh_token, token_type, type, sb: "" } });
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    const failure = errorFields(error);
    return redirect(target, { fragment: { ...failure, sb: "" }, query: pkce ? failure : {} });
  }
}

/** Uses up the link's token; returns a session, or in a PKCE flow the code for one. */
async function spend(
  call: Call,
  { token, type, pkce }: { token: string; type: string; pkce: boolean },
): Promise<Grant | "half" | (string & {})> {
  return call.auth.database.transaction(async (tx) => {
    const user = await acceptProof(tx, call, { type, name: { hash: token }, channel: "email" });
    if (user === "half") return user;
    if (pkce) return issueAuthCode(tx, user.id, FLOWS[type] ?? []);
    const grant = await openSession(tx, call, user.id, "otp");
    await audit(tx, call, "login", user);
    return grant;
  });
}
