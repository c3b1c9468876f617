import type { Call } from "../context.ts";
import { AuthError, errorFields } from "../errors.ts";
import { issueAuthCode } from "./flow-state.ts";
import { redirect } from "../responses.ts";
import { PKCE_PREFIX } from "./one-time-tokens.ts";
import { redirectTarget } from "../redirect-allow-list.ts";
import { signIn } from "../tokens/sessions.ts";
import { type FlowResult, redirectWithResult } from "../tokens/token-response.ts";
import { acceptProof, requireType } from "./verification.ts";
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
    const proof = { type, name: { hash: token }, channel: "email" } as const;
    const outcome = await acceptProof<FlowResult>(call, proof, async (tx, user) =>
      pkce ? { code: await issueAuthCode(tx, user.id, type) } : signIn(tx, call, user.id, "otp"),
    );
    if (outcome === "half") return redirect(target, { fragment: { message: HALF_CONFIRMED, sb: "" } });
    return await redirectWithResult(call.auth, target, outcome, { type });
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    const failure = errorFields(error);
    return redirect(target, { fragment: { ...failure, sb: "" }, query: pkce ? failure : {} });
  }
}
