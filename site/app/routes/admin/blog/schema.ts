import type { Database } from "../../../../../supabase/database.types.ts";
import { lengthOf, textOf } from "../form-text.ts";
import { refused, type Checked } from "../outcome.ts";
import { slugOf } from "./slug.ts";

/** What the list shows of a post; its text stays where it is. */
export type ListedPost = Pick<Database["public"]["Tables"]["blog_posts"]["Row"], "id" | "title" | "author" | "slug" | "created_at">;
export type Post = Database["public"]["Tables"]["blog_posts"]["Row"];

/** What may be changed of a post; its address stays. */
export type PostValues = Pick<Post, "title" | "author" | "content" | "image_url">;

export const LONGEST_TITLE = 200;
export const LONGEST_AUTHOR = 120;
export const LONGEST_CONTENT = 200_000;
export const LONGEST_IMAGE_URL = 2000;

/** Checks a filled-in post by the rules the database has too; its slug is the one of its title, taken or not. */
export function checkPost(form: FormData): Checked<PostValues & { slug: string }> {
  const title = textOf(form, "title");
  if (title === "") return refused("Enter a title.", "title");
  if (lengthOf(title) > LONGEST_TITLE) return refused(`Shorten the title to ${LONGEST_TITLE} characters.`, "title");
  const slug = slugOf(title);
  if (slug === "")
    return refused("The title needs at least one letter from a to z or one digit, since the post's address is made from it.", "title");

  const author = textOf(form, "author");
  if (author === "") return refused("Enter who wrote the post.", "author");
  if (lengthOf(author) > LONGEST_AUTHOR) return refused(`Shorten the author's name to ${LONGEST_AUTHOR} characters.`, "author");

  const content = textOf(form, "content");
  if (content === "") return refused("Write the post.", "content");
  if (lengthOf(content) > LONGEST_CONTENT)
    return refused(`Shorten the post to ${LONGEST_CONTENT.toLocaleString("en-GB")} characters.`, "content");

  const imageUrl = textOf(form, "image_url");
  if (imageUrl !== "" && (!isWebAddress(imageUrl) || lengthOf(imageUrl) > LONGEST_IMAGE_URL)) {
    return refused("Enter a whole web address for the image, beginning with https://, or leave the field empty.", "image_url");
  }
  return { ok: true, value: { title, author, content, image_url: imageUrl === "" ? null : imageUrl, slug } };
}

function isWebAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (url.protocol === "https:" || url.protocol === "http:") && !/\s/.test(text);
}
