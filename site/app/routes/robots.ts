import { siteContext } from "../server/site-context.server.ts";
import type { Route } from "./+types/robots";

/** Everything may be crawled; the portal says noindex itself, which a crawler must be let in to read. */
export function loader({ context }: Route.LoaderArgs) {
  return new Response(`User-agent: *\nAllow: /\n\nSitemap: ${context.get(siteContext).siteUrl}/sitemap.xml\n`, {
    headers: { "Content-Type": "text/plain; charset=utf-8" },
  });
}
