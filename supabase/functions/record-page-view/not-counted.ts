import { isbot } from "isbot";
import { z } from "zod";

const claimsSchema = z.object({ role: z.string() });

/** Why a view is not counted: the visitor objected, is a machine, or is staff; undefined where it is. */
export function whyNotCounted({ headers }: Request): "objection" | "bot" | "staff" | undefined {
  if (headers.get("sec-gpc") === "1" || hasCookie(headers, "visit_objection=1")) return "objection";
  if (isbot(headers.get("user-agent"))) return "bot";
  return bearsAccount(headers) ? "staff" : undefined;
}

/** Whether the request brings exactly this cookie. */
export function hasCookie(headers: Headers, cookie: string): boolean {
  return (headers.get("cookie") ?? "").split(/;\s*/).includes(cookie);
}

/** The token is not verified: who makes one up is merely not counted. */
function bearsAccount(headers: Headers): boolean {
  const payload = /^bearer [^.\s]+\.([^.\s]+)\.[^.\s]+$/i.exec(headers.get("authorization") ?? "")?.[1];
  if (payload === undefined) return false;
  try {
    const claims = claimsSchema.safeParse(JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/"))));
    return claims.success && claims.data.role === "authenticated";
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof DOMException) return false;
    throw error;
  }
}
