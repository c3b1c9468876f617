import { isbot } from "isbot";
import { z } from "zod";
import { accessTokenOf } from "../_shared/access-token.ts";

const claimsSchema = z.object({ role: z.string() });

/** The reason not to count a page view: the visitor opted out, is a bot or is staff. Undefined if it is counted. */
export function exclusionReason(request: Request): "opt_out" | "bot" | "staff" | undefined {
  const { headers } = request;
  if (headers.get("sec-gpc") === "1" || hasCookie(headers, "visit_opt_out=1")) return "opt_out";
  if (isbot(headers.get("user-agent"))) return "bot";
  return isStaff(request) ? "staff" : undefined;
}

/** Returns true if the request has exactly this cookie. */
export function hasCookie(headers: Headers, cookie: string): boolean {
  return (headers.get("cookie") ?? "").split(/;\s*/).includes(cookie);
}

/** The token is not verified: with a forged one a visitor is only not counted. */
function isStaff(request: Request): boolean {
  const payload = accessTokenOf(request)?.split(".")[1];
  if (payload === undefined) return false;
  try {
    const claims = claimsSchema.safeParse(JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/"))));
    return claims.success && claims.data.role === "authenticated";
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof DOMException) return false;
    throw error;
  }
}
