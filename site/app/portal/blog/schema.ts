import type { Database } from "../../../../supabase/database.types.ts";
import { lengthOf, textOf } from "../forms/form-text.ts";
import { fromLondonTime } from "../../time/london-time.ts";
import { refused, type Checked, type Refusal } from "../frame/outcome.ts";
import { slugOf } from "./slug.ts";

export type Post = Database["public"]["Tables"]["blog_posts"]["Row"];

/** What the list shows of a post; its text stays where it is. */
export type ListedPost = Pick<Post, "id" | "title" | "author" | "slug" | "image_url" | "published_at" | "created_at" | "updated_at">;

/** What staff decide of a post. */
export type PostValues = Pick<Post, "title" | "author" | "content" | "image_url" | "slug" | "published_at">;

/** What a filled-in form says of a post. */
export type CheckedPost = PostValues & { slug: string; published_at: string };

/** Published from a time the database takes as its own; the browser's clock may be wrong. */
export const NOW = "now";

export const LONGEST_TITLE = 200;
export const LONGEST_AUTHOR = 120;
export const LONGEST_CONTENT = 200_000;
export const LONGEST_IMAGE_URL = 2000;

/** A draft is seen by staff alone, a scheduled post by visitors when its time comes. */
export type Standing = "draft" | "scheduled" | "published";

/** How a post stands at an instant. */
export function standingOf({ published_at }: Pick<Post, "published_at">, now = new Date()): Standing {
  if (published_at === null) return "draft";
  return new Date(published_at) > now ? "scheduled" : "published";
}

/** Checks a post to be published by the rules the database has too. Its slug is the one given, else that of its title, taken or not. */
export function checkPost(form: FormData, now = new Date()): Checked<CheckedPost> {
  const title = textOf(form, "title");
  if (title === "") return refused("Enter a title.", "title");
  if (lengthOf(title) > LONGEST_TITLE) return refused(`Shorten the title to ${LONGEST_TITLE} characters.`, "title");

  const author = textOf(form, "author");
  if (author === "") return refused("Enter who wrote the post.", "author");
  if (lengthOf(author) > LONGEST_AUTHOR) return refused(`Shorten the author's name to ${LONGEST_AUTHOR} characters.`, "author");

  const imageUrl = textOf(form, "image_url");
  if (imageUrl !== "" && (!(isWebAddress(imageUrl) || isOwnPath(imageUrl)) || lengthOf(imageUrl) > LONGEST_IMAGE_URL)) {
    return refused("Enter a whole web address for the image, beginning with https://, or leave the field empty.", "image_url");
  }

  const slug = slugOf(textOf(form, "slug") || title);
  if (slug === "") return refusedSlug(form);

  const content = textOf(form, "content");
  if (content === "") return refused("Write the post.", "content");
  if (lengthOf(content) > LONGEST_CONTENT)
    return refused(`Shorten the post to ${LONGEST_CONTENT.toLocaleString("en-GB")} characters.`, "content");

  const time = checkTime(form, now);
  if (!time.ok) return time;
  return { ok: true, value: { title, author, content, image_url: imageUrl === "" ? null : imageUrl, slug, published_at: time.value } };
}

/** Whether an image is one of this site's own, named by its path. */
export function isOwnPath(text: string): boolean {
  return /^\/[^\s/]\S*$/.test(text);
}

function refusedSlug(form: FormData): Refusal {
  return textOf(form, "slug") === ""
    ? refused("The title needs at least one letter from a to z or one digit, since the post's address is made from it.", "title")
    : refused("The address needs at least one letter from a to z or one digit.", "slug");
}

function checkTime(form: FormData, now: Date): Checked<string> {
  if (textOf(form, "when") !== "later") return { ok: true, value: NOW };
  const instant = fromLondonTime(textOf(form, "publish_at"));
  if (!instant) return refused("Enter the date and time at which the post appears.", "publish_at");
  if (instant <= now) return refused("Choose a date and time to come, or publish now.", "publish_at");
  return { ok: true, value: instant.toISOString() };
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && ["https:", "http:"].includes(new URL(text).protocol) && !/\s/.test(text);
}
