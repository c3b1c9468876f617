import { passage } from "../passage.ts";
import type { Post } from "../schema.ts";

/** What stands in the fields of the editor. */
export interface Fields {
  title: string;
  author: string;
  image_url: string;
  slug: string;
  content: string;
}

const LABELS: readonly [keyof Fields, string][] = [
  ["title", "Title"],
  ["author", "Author"],
  ["image_url", "Image URL"],
  ["slug", "Address"],
  ["content", "Content"],
];

/** What the fields show of a post. */
export function fieldsOf({ title, author, image_url, slug, content }: Post): Fields {
  return { title, author, image_url: image_url ?? "", slug: slug ?? "", content: withLf(content) };
}

/** The fields with what a colleague wrote meanwhile, where they were not touched here. */
export function withTheirs(fields: Fields, before: Fields, now: Fields): Fields {
  const pick = (name: keyof Fields): string => (fields[name] === before[name] ? now[name] : fields[name]);
  return { title: pick("title"), author: pick("author"), image_url: pick("image_url"), slug: pick("slug"), content: pick("content") };
}

/** Whether there is nothing to keep. */
export function isEmpty({ title, content, image_url }: Fields): boolean {
  return [title, content, image_url].every((text) => text.trim() === "");
}

/** Says in which fields two versions of a post stand differently, and how; null where in none. */
export function unlike(here: Fields, there: Fields): string | null {
  const differing = LABELS.filter(([name]) => here[name] !== there[name]);
  if (differing.length === 0) return null;
  return differing
    .map(([name, label]) => `${label}: ${passage(here[name], there[name])} here, ${passage(there[name], here[name])} there.`)
    .join(" ");
}

/** A text with the line breaks of a text area. */
export function withLf(text: string): string {
  return text.replaceAll("\r\n", "\n");
}
