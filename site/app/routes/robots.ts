import { siteContext } from "../server/site-context.server.ts";
import type { Route } from "./+types/robots";

/** Allows crawling everywhere: a crawler must read the portal's pages to see that they are `noindex`. */
export function loader({ context }: Route.LoaderArgs) {
  return new Response(`User-agent: *\nAllow: /\n\nSitemap: ${context.get(siteContext).siteUrl}/sitemap.xml\n`, {
    headers: { "Content-Type": "text/plain; charset=utf-8" },
  });
}
