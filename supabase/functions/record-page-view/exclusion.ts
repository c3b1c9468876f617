import { Buffer } from "node:buffer";
import { isbot } from "isbot";
import { accessTokenOf } from "../_shared/access-token.ts";

/** The reason not to count a page view: the visitor opted out, is a bot or is staff. Undefined if it is counted. */
export function exclusionReason(request: Request): "opt_out" | "bot" | "staff" | undefined {
  const { headers } = request;
  if (headers.get("sec-gpc") === "1" || hasCookie(headers, "visit_opt_out=1")) return "opt_out";
  if (isbot(headers.get("user-agent"))) return "bot";
  // The token is not verified: with a forged one a visitor is only not counted.
  const claims = Buffer.from(accessTokenOf(request)?.split(".")[1] ?? "", "base64url").toString();
  return /"role":\s*"authenticated"/.test(claims) ? "staff" : undefined;
}

/** Returns true if the request has exactly this cookie. */
export function hasCookie(headers: Headers, cookie: string): boolean {
  return (headers.get("cookie") ?? "").split(/;\s*/).includes(cookie);
}
