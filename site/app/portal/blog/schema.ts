import { parseForm } from "../forms/fields.ts";
import { textOf } from "../forms/form-text.ts";
import { fromLondonTime } from "../../time/london-time.ts";
import { refused, type Checked, type Refusal } from "../frame/outcome.ts";
import { differingWords } from "./differing-words.ts";
import { NOW, postFields, textFields, type CheckedPost, type Post } from "./fields.ts";
import { slugOf } from "./slug.ts";

/** The text fields of the editor. */
export type Fields = Record<"title" | "author" | "image_url" | "slug" | "content", string>;

/** Only staff see a draft; visitors see a scheduled post from its time on. */
export type PostStatus = "draft" | "scheduled" | "published";

export function postStatus({ published_at, updated_at }: Pick<Post, "published_at" | "updated_at">, now = new Date()): PostStatus {
  if (published_at === null) return "draft";
  const time = new Date(published_at);
  // The clock of this computer may be behind that of the database, which wrote `updated_at`.
  return time > now && time > new Date(updated_at) ? "scheduled" : "published";
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
    .map(
      (name) =>
        `${postFields[name].label}: ${differingWords(here[name], there[name])} here, ${differingWords(there[name], here[name])} there.`,
    )
    .join(" ");
}

/** Replaces the line breaks of form data by those of a text area. */
export function withLf(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

/** Checks a post by the rules of the database. Its slug is the given one, else that of its title, which may be taken. */
export function checkPost(form: FormData, now = new Date()): Checked<CheckedPost> {
  const texts = parseForm(textFields, form);
  if (!texts.ok) return texts;
  const slug = slugOf(textOf(form, "slug") || texts.value.title);
  if (slug === "") return refusedSlug(form);
  const time = checkTime(form, now);
  return time.ok ? { ok: true, value: { ...texts.value, slug, published_at: time.value } } : time;
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
