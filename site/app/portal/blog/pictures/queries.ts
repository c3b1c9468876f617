import { POST_IMAGES, pictureOfName, type StoredPicture } from "../../../pictures/stored-pictures.ts";
import type { BrowserSupabase } from "../../../supabase/supabase.client.ts";
import { done, refused, type Done, type Refusal } from "../../frame/outcome.ts";
import type { Post } from "../schema.ts";

/** A picture that posts may use. */
export interface ListedImage extends StoredPicture {
  /** The instant, as ISO text. */
  added: string;
}

/** A post that a picture is in. */
export type ImageUse = Pick<Post, "id" | "title" | "slug" | "published_at">;

/** A refusal that says where a picture is used. */
export type ImageDeletion = Done | (Refusal & { uses?: readonly ImageUse[] });

/** As many pictures, the newest first, as are shown at once; `more` where there are others. */
export async function listImages(
  supabase: BrowserSupabase,
  offset: number,
): Promise<{ ok: true; images: ListedImage[]; more: boolean } | Refusal> {
  const { data, error } = await supabase.storage
    .from(POST_IMAGES)
    .list("", { limit: AT_ONCE + 1, offset, sortBy: { column: "created_at", order: "desc" } });
  if (error) return refused(`Error fetching pictures: ${error.message}`);
  const images = data.slice(0, AT_ONCE).flatMap(({ name, created_at }) => {
    const picture = pictureOfName(name);
    return picture ? [{ ...picture, added: created_at ?? "" }] : [];
  });
  return { ok: true, images, more: data.length > AT_ONCE };
}

/** How many pictures are asked for at once. */
export const AT_ONCE = 24;

/** Deletes a picture that no post uses; the database keeps the others, and the refusal names their posts. */
export async function deleteImage(supabase: BrowserSupabase, name: string): Promise<ImageDeletion> {
  const { data, error } = await supabase.storage.from(POST_IMAGES).remove([name]);
  if (error) return refused(`Failed to delete the picture: ${error.message}`);
  if (data.length > 0) return done("Picture deleted successfully!");
  const uses = await supabase.rpc("post_image_uses", { image_name: name });
  if (uses.error) return refused(`Failed to delete the picture: ${uses.error.message}`);
  const posts = await supabase.from("blog_posts").select("id, title, slug, published_at").in("id", uses.data).order("created_at");
  if (posts.error) return refused(`Failed to delete the picture: ${posts.error.message}`);
  return posts.data.length === 0
    ? refused("Failed to delete the picture: it is no longer there, or this account may not delete it.")
    : { ...refused("This picture is in use. Take it out of these posts first:"), uses: posts.data };
}
