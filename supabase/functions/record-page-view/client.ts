import { Buffer } from "node:buffer";
import { isbot } from "isbot";
import { accessTokenOf } from "../_shared/access-token.ts";

const HOST = /^(?=.{1,100}$)[a-z0-9-]+(\.[a-z0-9-]+)+$/;

/** The kind of device, from the User-Agent and client hints. */
export function deviceOf({ headers }: Request): "phone" | "tablet" | "computer" {
  const agent = headers.get("user-agent") ?? "";
  if (/iPad|Tablet|Android(?!.*Mobile)/i.test(agent)) return "tablet";
  return headers.get("sec-ch-ua-mobile") === "?1" || /Mobi/i.test(agent) ? "phone" : "computer";
}

/** The host of the page with the link that the visitor followed; undefined without one and for our own pages. */
export function referrerHost(referrer: string | undefined, { headers, url }: Request): string | undefined {
  if (referrer === undefined || !URL.canParse(referrer)) return undefined;
  const { protocol, host, hostname } = new URL(referrer);
  const own = [headers.get("origin"), url].flatMap((address) => (address !== null && URL.canParse(address) ? [new URL(address).host] : []));
  if (!/^https?:$/.test(protocol) || own.includes(host)) return undefined;
  const name = hostname.replace(/^www\./, "");
  return HOST.test(name) ? name : undefined;
}

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
