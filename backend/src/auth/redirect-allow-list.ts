import type { Call } from "./context.ts";

/** Where a flow leads: what the request asks for, by parameter, header or referrer, if it is allowed; else the site. */
export function redirectTarget({ auth, request }: Call): string {
  const asked = [
    new URL(request.url).searchParams.get("redirect_to"),
    request.headers.get("redirect_to"),
    request.headers.get("referer"),
  ].find(Boolean);
  return (asked && auth.redirects.allowed(asked)) || auth.redirects.siteUrl;
}

/** The addresses a sign-in may lead to. */
export interface Redirects {
  siteUrl: string;
  /** Returns the address, normalised, if it may be led to. */
  allowed(target: string): string | undefined;
}

/** Makes the allow-list: everything at the site's own origin, and what the CLI's patterns in `additional` match. */
export function createRedirects(siteUrl: string, additional: readonly string[]): Redirects {
  const { origin } = new URL(siteUrl);
  const patterns = additional.map((pattern) => globPattern(pattern));
  return {
    siteUrl,
    allowed(target) {
      const url = URL.parse(target);
      if (!url || url.username !== "" || url.password !== "") return undefined;
      if (url.origin === origin) return url.href;
      // What follows # never reaches a server and says nothing of where it leads.
      const href = url.href.replace(/#.*$/s, "");
      const spellings = url.pathname === "/" && url.search === "" ? [href, href.replace(/\/$/, "")] : [href];
      return patterns.some((pattern) => spellings.some((spelling) => pattern.test(spelling))) ? url.href : undefined;
    },
  };
}

/** Translates a pattern as the CLI reads it: `*` and `?` stop at "." and "/", `**` does not; `[a-z]`, `[!a]`, `{a,b}`, `\`. */
function globPattern(pattern: string): RegExp {
  const tokens = pattern.match(/\\.|\*\*|\[!?[^\]]+\]|[\s\S]/g) ?? [];
  let depth = 0;
  const parts = tokens.map((token) => {
    if (token === "**") return ".*";
    if (token === "*") return "[^./]*";
    if (token === "?") return "[^./]";
    if (token === "{") return (depth += 1) && "(?:";
    if (token === "}" && depth > 0) return (depth -= 1) >= 0 && ")";
    if (token === "," && depth > 0) return "|";
    if (token.length > 1 && token.startsWith("[")) return charClass(token);
    return RegExp.escape(token.length > 1 ? token.slice(1) : token);
  });
  return new RegExp(`^${parts.join("")}${")".repeat(depth)}$`, "s");
}

function charClass(token: string): string {
  const negated = token.startsWith("[!");
  return `[${negated ? "^" : ""}${token.slice(negated ? 2 : 1, -1).replaceAll(/[\\^\]]/g, "\\$&")}]`;
}
