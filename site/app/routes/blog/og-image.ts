import { renderedOgImage } from "../../og-image/post-og-image.server.ts";
import { isPublished } from "../../posts/published-posts.server.ts";
import { ogImageContext, siteContext } from "../../server/site-context.server.ts";
import { logFailedRead } from "../../supabase/log-failed-read.ts";
import type { Route } from "./+types/og-image";

const FILE = /^([a-z0-9-]+)\.jpg$/;
const RETRY_AFTER_S = "10";

/** Serves the rendered Open Graph image of a published post. */
export async function loader({ params, request, context }: Route.LoaderArgs) {
  const { supabase, log } = context.get(siteContext);
  const slug = FILE.exec(params.file)?.[1];
  if (slug === undefined) return notFound();
  const { data: post, error } = await supabase
    .from("blog_posts")
    .select("title, author, slug, published_at")
    .eq("slug", slug)
    .maybeSingle();
  if (error) {
    logFailedRead(log, error, "the post of an Open Graph image could not be read");
    return unavailable();
  }
  const image = post && isPublished(post) ? await renderedOgImage(post) : null;
  if (image === null) return notFound();

  // The address with the current version never shows anything else; any other address must be revalidated.
  const isCurrent = new URL(request.url).searchParams.get("v") === image.version;
  const headers = {
    "Content-Type": "image/jpeg",
    ETag: `"${image.version}"`,
    "Cache-Control": isCurrent ? "public, max-age=86400" : "public, max-age=0, must-revalidate",
  };
  if (request.headers.get("If-None-Match")?.includes(headers.ETag)) return new Response(null, { status: 304, headers });
  const bytes = await context.get(ogImageContext)(image.text);
  return bytes === null ? unavailable() : new Response(bytes, { headers: { ...headers, "Content-Length": String(bytes.byteLength) } });
}

function notFound(): Response {
  return new Response("Not found", { status: 404 });
}

function unavailable(): Response {
  return new Response("Please try again later.", { status: 503, headers: { "Retry-After": RETRY_AFTER_S } });
}
