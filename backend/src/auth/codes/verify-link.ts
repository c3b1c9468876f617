import { audit } from "../audit.ts";
import type { Call } from "../context.ts";
import { AuthError, errorFields } from "../errors.ts";
import { issueAuthCode } from "./flow-state.ts";
import { redirect } from "../responses.ts";
import { PKCE_PREFIX } from "./one-time-tokens.ts";
import { redirectTarget } from "../redirect-allow-list.ts";
import { openSession } from "../tokens/sessions.ts";
import { type FlowResult, redirectWithResult } from "../tokens/token-response.ts";
import { acceptProof, auditingRefusal, requireType } from "./verification.ts";
import { HALF_CONFIRMED } from "./verify.ts";

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
    return await redirectWithResult(call.auth, target, outcome, { type });
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    const failure = errorFields(error);
    return redirect(target, { fragment: { ...failure, sb: "" }, query: pkce ? failure : {} });
  }
}

/** Uses up the link's token; returns a session, or in a PKCE flow the code for one. */
async function spend(call: Call, { token, type, pkce }: { token: string; type: string; pkce: boolean }): Promise<FlowResult | "half"> {
  return call.auth.database.transaction(async (tx) => {
    const user = await acceptProof(tx, call, { type, name: { hash: token }, channel: "email" });
    if (user === "half") return user;
    if (pkce) return { code: await issueAuthCode(tx, user.id, type) };
    const grant = await openSession(tx, call, user.id, "otp");
    await audit(tx, call, "login", user);
    return grant;
  });
}
