import type { Caller } from "../../bearer.ts";
import type { Call } from "../../context.ts";
import { json } from "../../responses.ts";
import { authorizationUrl, redirect } from "./authorize.ts";
import { requireManualLinking } from "../../accounts/manual-linking.ts";

/** `GET user/identities/authorize?provider=`: begins a sign-in at a provider that gives the caller one more identity. */
export async function authorizeLink(call: Call, { user }: Caller): Promise<Response> {
  requireManualLinking(call);
  const url = await authorizationUrl(call, user.id);
  const asJson = new URL(call.request.url).searchParams.get("skip_http_redirect") === "true";
  return asJson ? json({ url: url.href }) : redirect(url);
}
