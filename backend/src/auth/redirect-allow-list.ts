/** The addresses that a sign-in may redirect to. */
export interface Redirects {
  siteUrl: string;
  /** Returns the normalised address if it is allowed. */
  allowed(target: string): string | undefined;
}

/** Returns the target of a flow: `redirect_to` as parameter or header, or the referrer, if allowed; else the site. */
export function redirectTarget({ auth, request }: { auth: { redirects: Redirects }; request: Request }): string {
  const requested = [
    new URL(request.url).searchParams.get("redirect_to"),
    request.headers.get("redirect_to"),
    request.headers.get("referer"),
  ].find(Boolean);
  return (requested && auth.redirects.allowed(requested)) || auth.redirects.siteUrl;
}

/** Creates the allow-list: the origin of the site, and the addresses that the CLI's patterns in `additional` match. */
export function createRedirects(siteUrl: string, additional: readonly string[]): Redirects {
  const site = new URL(siteUrl);
  const patterns = additional.map((pattern) => globPattern(pattern));
  return {
    siteUrl,
    allowed(target) {
      const url = URL.parse(target);
      if (!url || url.username !== "" || url.password !== "") return undefined;
      // The origin of a blob: address is the one of the page that created it, so the scheme is compared too.
      if (url.origin === site.origin && url.protocol === site.protocol) return url.href;
      // The fragment does not change the target of a redirect.
      const href = url.href.replace(/#.*$/s, "");
      const spellings = url.pathname === "/" && url.search === "" ? [href, href.replace(/\/$/, "")] : [href];
      return patterns.some((pattern) => spellings.some((spelling) => pattern.test(spelling))) ? url.href : undefined;
    },
  };
}

/**
 * Translates a pattern of the CLI (gobwas/glob with "." and "/" as separators): `*` and `?` stop at a separator, `**` does
 * not; `[a-z]`, `[!a]`, `{a,b}` and `\` work. picomatch is no replacement: its `*` cannot stop at ".".
 * A pattern with one `**` takes linear time; with two, quadratic time: 0.1 s for an address of 16 KiB, the longest request line.
 */
export function globPattern(pattern: string): RegExp {
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
