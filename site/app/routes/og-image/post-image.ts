import { renderedPostImage } from "../../og-image/post-og-image.server.ts";
import { isPublished } from "../../posts/published-posts.server.ts";
import { ogImageContext, siteContext } from "../../server/site-context.server.ts";
import { logFailedRead } from "../../supabase/log-failed-read.ts";
import type { Route } from "./+types/post-image";
import { imageName, notFound, ogImageResponse, unavailable } from "./og-image-response.server.ts";

/** Serves the rendered Open Graph image of a published post. */
export async function loader({ params, request, context }: Route.LoaderArgs) {
  const { supabase, log } = context.get(siteContext);
  const slug = imageName(params.file);
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
  const image = post && isPublished(post) ? await renderedPostImage(post) : null;
  return image ? ogImageResponse(request, image, context.get(ogImageContext)) : notFound();
}
