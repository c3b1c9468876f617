import { POST_IMAGES, pictureOfName, type StoredPicture } from "../../../pictures/stored-pictures.ts";
import type { BrowserSupabase } from "../../../supabase/supabase.client.ts";
import { done, refused, type Done, type Refusal } from "../../frame/outcome.ts";
import type { Post } from "../fields.ts";

/** A picture of the media library. */
interface ListedPicture extends StoredPicture {
  /** An ISO instant. */
  added: string;
}

/** A post that contains a picture. */
export type PostWithPicture = Pick<Post, "id" | "title" | "slug" | "published_at">;

/** The result of a deletion; a refusal may name the posts that contain the picture. */
export type PictureDeletion = Done | (Refusal & { posts?: readonly PostWithPicture[] });

/** Lists the newest pictures; `more` is true if there are others. */
export async function listPictures(
  supabase: BrowserSupabase,
  limit: number,
): Promise<{ ok: true; pictures: ListedPicture[]; more: boolean } | Refusal> {
  const { data, error } = await supabase.storage
    .from(POST_IMAGES)
    .list("", { limit: limit + 1, sortBy: { column: "created_at", order: "desc" } });
  if (error) return refused(`Error fetching pictures: ${error.message}`);
  const pictures = data.slice(0, limit).flatMap(({ name, created_at }) => {
    const picture = pictureOfName(name);
    return picture ? [{ ...picture, added: created_at ?? "" }] : [];
  });
  return { ok: true, pictures, more: data.length > limit };
}

/** Deletes a picture; the database refuses to delete one that a post contains. */
export async function deletePicture(supabase: BrowserSupabase, name: string): Promise<PictureDeletion> {
  const failed = ({ message }: { message: string }): Refusal => refused(`Failed to delete the picture: ${message}`);
  const { data, error } = await supabase.storage.from(POST_IMAGES).remove([name]);
  if (error) return failed(error);
  if (data.length > 0) return done("Picture deleted successfully!");
  const uses = await supabase.rpc("post_image_uses", { image_name: name });
  if (uses.error) return failed(uses.error);
  const posts = await supabase.from("blog_posts").select("id, title, slug, published_at").in("id", uses.data).order("created_at");
  if (posts.error) return failed(posts.error);
  return posts.data.length === 0
    ? failed({ message: "it is no longer there, or this account may not delete it." })
    : { ...refused("This picture is in use. Remove it from these posts first:"), posts: posts.data };
}
