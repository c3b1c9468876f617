import type { Database } from "../../../../supabase/database.types.ts";
import { lengthOf, textOf } from "../forms/form-text.ts";
import { fromLondonTime } from "../../time/london-time.ts";
import { refused, type Checked, type Refusal } from "../frame/outcome.ts";
import { differingWords } from "./differing-words.ts";
import { slugOf } from "./slug.ts";

export type Post = Database["public"]["Tables"]["blog_posts"]["Row"];

/** A post without its content. */
export type ListedPost = Pick<Post, "id" | "title" | "author" | "slug" | "image_url" | "published_at" | "created_at" | "updated_at">;

/** The columns that staff edit. */
export type PostValues = Pick<Post, "title" | "author" | "content" | "image_url" | "slug" | "published_at">;

/** The values of a post to publish. */
export type CheckedPost = PostValues & { slug: string; published_at: string };

/** The text fields of the editor. */
export type Fields = Record<"title" | "author" | "image_url" | "slug" | "content", string>;

export const LABELS: Readonly<Record<keyof PostValues, string>> = {
  title: "Title",
  author: "Author",
  content: "Content",
  image_url: "Image URL",
  slug: "Address",
  published_at: "Published",
};

/** `published_at` for the current time of the database; the browser's clock may be wrong. */
export const NOW = "now";

export const LONGEST_TITLE = 200;
export const LONGEST_AUTHOR = 120;
export const LONGEST_CONTENT = 200_000;
export const LONGEST_IMAGE_URL = 2000;

/** Only staff see a draft; visitors see a scheduled post from its time on. */
export type PostStatus = "draft" | "scheduled" | "published";

export function postStatus({ published_at }: Pick<Post, "published_at">, now = new Date()): PostStatus {
  if (published_at === null) return "draft";
  return new Date(published_at) > now ? "scheduled" : "published";
}

/** The text fields of a post as the editor shows them. */
export function fieldsOf({ title, author, image_url, slug, content }: Post): Fields {
  return { title, author, image_url: image_url ?? "", slug: slug ?? "", content: withLf(content) };
}

/** Describes the fields in which two versions of a post differ; empty if they are equal. */
export function differences(here: Fields, there: Fields): string {
  const names = ["title", "author", "image_url", "slug", "content"] as const;
  return names
    .filter((name) => here[name] !== there[name])
    .map((name) => `${LABELS[name]}: ${differingWords(here[name], there[name])} here, ${differingWords(there[name], here[name])} there.`)
    .join(" ");
}

/** Replaces the line breaks of form data by those of a text area. */
export function withLf(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

/** Checks a post by the rules of the database. Its slug is the given one, else that of its title, which may be taken. */
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

/** True for a path on this site, such as that of a picture in the media library. */
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
  if (instant <= now) return refused("Choose a date and time in the future, or publish now.", "publish_at");
  return { ok: true, value: instant.toISOString() };
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && ["https:", "http:"].includes(new URL(text).protocol) && !/\s/.test(text);
}
