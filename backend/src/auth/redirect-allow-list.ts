import { compileGlob } from "./glob.ts";

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
  const patterns = additional.map((pattern) => compileGlob(pattern));
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
      return patterns.some((matches) => spellings.some((spelling) => matches(spelling))) ? url.href : undefined;
    },
  };
}
