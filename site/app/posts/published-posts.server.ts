import type { Database } from "../../../supabase/database.types.ts";

type BlogPost = Database["public"]["Tables"]["blog_posts"]["Row"];

/** A post with the fields that every published post has. */
export type Published<Row> = Row & { slug: string; published_at: string };

export type PublishedPost = Published<BlogPost>;

/** Narrows a post to a published one; row-level security gives visitors no others. */
export function isPublished<Row extends Pick<BlogPost, "slug" | "published_at">>(row: Row): row is Published<Row> {
  return row.slug !== null && row.published_at !== null;
}
