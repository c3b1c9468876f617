import type { RouterContextProvider } from "react-router";
import type { Database } from "../../../supabase/database.types.ts";
import { expiryContext, siteContext } from "../server/site-context.server.ts";

type BlogPost = Database["public"]["Tables"]["blog_posts"]["Row"];

/** A post with the fields that every published post has. */
export type Published<Row> = Row & { slug: string; published_at: string };

export type PublishedPost = Published<BlogPost>;

/** Narrows a post to a published one; row-level security gives visitors no others. */
export function isPublished<Row extends Pick<BlogPost, "slug" | "published_at">>(row: Row): row is Published<Row> {
  return row.slug !== null && row.published_at !== null;
}

/**
 * Lets the page expire when the next scheduled post is due, because no write announces that. Call it before reading posts: a post
 * that falls due between the two reads is then on the page.
 */
export async function expireAtNextPost(context: Readonly<RouterContextProvider>): Promise<void> {
  const { supabase, log } = context.get(siteContext);
  const { data, error } = await supabase.rpc("posts_expire_at");
  if (error) log.error({ err: error }, "the time of the next post could not be read");
  context.get(expiryContext)(error ? new Date() : new Date(data));
}
