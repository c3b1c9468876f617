import { linkPictureOf } from "../../og-image/og-image.server.ts";
import { isPublished } from "../../posts/published-posts.server.ts";
import { siteContext } from "../../server/site-context.server.ts";
import type { Route } from "./+types/og-image";

const FILE = /^([a-z0-9-]+)\.jpg$/;
const SECONDS_TO_WAIT = "10";

/** The picture that previews of a post show; of posts that visitors can read, and of no others. */
export async function loader({ params, request, context }: Route.LoaderArgs) {
  const { supabase, linkPicture, log } = context.get(siteContext);
  const slug = FILE.exec(params.file)?.[1];
  if (slug === undefined) return notFound();
  const { data: post, error } = await supabase
    .from("blog_posts")
    .select("title, author, slug, published_at")
    .eq("slug", slug)
    .maybeSingle();
  if (error) {
    log.error({ err: error }, "the post of a link picture could not be read");
    return later();
  }
  const picture = post && isPublished(post) ? await linkPictureOf(post) : null;
  if (picture === null) return notFound();

  // An address that names what is drawn stays true; any other has to be asked for again.
  const isCurrent = new URL(request.url).searchParams.get("v") === picture.version;
  const headers = {
    "Content-Type": "image/jpeg",
    ETag: `"${picture.version}"`,
    "Cache-Control": isCurrent ? "public, max-age=86400" : "public, max-age=0, must-revalidate",
    "X-Content-Type-Options": "nosniff",
  };
  if (request.headers.get("If-None-Match")?.includes(headers.ETag)) return new Response(null, { status: 304, headers });
  const bytes = await linkPicture(picture.words);
  return bytes === null ? later() : new Response(bytes, { headers: { ...headers, "Content-Length": String(bytes.byteLength) } });
}

function notFound(): Response {
  return new Response("Not found", { status: 404 });
}

function later(): Response {
  return new Response("Please try again later.", { status: 503, headers: { "Retry-After": SECONDS_TO_WAIT } });
}
