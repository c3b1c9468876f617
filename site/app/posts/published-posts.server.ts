import type { Database } from "../../../supabase/database.types.ts";
import type { SiteContext } from "../server/site-context.server.ts";

type BlogPost = Database["public"]["Tables"]["blog_posts"]["Row"];

/** What a post has once visitors can read it. */
export type Published<Row> = Row & { slug: string; published_at: string };

export type PublishedPost = Published<BlogPost>;

/** Tells the types what the policies see to: visitors are given no other posts. */
export function isPublished<Row extends Pick<BlogPost, "slug" | "published_at">>(row: Row): row is Published<Row> {
  return row.slug !== null && row.published_at !== null;
}

/** Says of a page that it stands until the next post appears, which no write announces; asked before its posts are read. */
export async function standUntilNextPost({ supabase, standsUntil, log }: SiteContext): Promise<void> {
  const { data, error } = await supabase.rpc("posts_expire_at");
  if (error) log.error({ err: error }, "the time of the next post could not be read");
  standsUntil(error ? new Date() : new Date(data));
}
