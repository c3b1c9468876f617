import type { Database } from "../../../../supabase/database.types.ts";
import { labelled, optionalText, requiredText, type ValuesOf } from "../forms/fields.ts";
import type { RecordEdit } from "../records/save-record.ts";
import { csvColumns, instantColumns, type CsvColumn } from "../lists/csv/csv.ts";

export type Post = Database["public"]["Tables"]["blog_posts"]["Row"];

/** The form of an existing post. */
export interface EditForm {
  form: "edit";
  edit: RecordEdit<Post>;
  /** True if this person changed the post last; unsaved input is then used without a warning. */
  own: boolean;
}

/** A post without its content. */
export type ListedPost = Pick<Post, "id" | "title" | "author" | "slug" | "image_url" | "published_at" | "created_at" | "updated_at">;

/** `published_at` for the current time of the database; the browser's clock may be wrong. */
export const NOW = "now";

export const LONGEST_TITLE = 200;
export const LONGEST_AUTHOR = 120;
export const LONGEST_CONTENT = 200_000;
export const LONGEST_IMAGE_URL = 2000;

/** The text fields of a post; the slug and the time depend on others. */
export const textFields = {
  title: requiredText({ label: "Title", max: LONGEST_TITLE, error: "Enter a title." }),
  author: requiredText({ label: "Author", max: LONGEST_AUTHOR, error: "Enter who wrote the post." }),
  image_url: optionalText({
    label: "Image URL",
    max: LONGEST_IMAGE_URL,
    rule: {
      test: (text) => isWebAddress(text) || isOwnPath(text),
      error: "Enter a whole web address for the image, beginning with https://, or leave the field empty.",
    },
  }),
  content: requiredText({ label: "Content", max: LONGEST_CONTENT, error: "Write the post." }),
};

/** The fields of a post that staff edit. */
export const postFields = { ...textFields, slug: labelled("Address"), published_at: labelled("Published") };

export type PostValues = ValuesOf<typeof textFields> & { slug: string | null; published_at: string | null };

/** The values of a post to publish. */
export type CheckedPost = PostValues & { slug: string; published_at: string };

/** The columns of the CSV file: a post without its content, which is too long for a cell. */
export const postColumns: readonly CsvColumn<ListedPost>[] = [
  ...csvColumns({ title: textFields.title, author: textFields.author }),
  { heading: "Address", cell: ({ slug }) => slug },
  { heading: "Image", cell: ({ image_url }) => image_url },
  ...instantColumns<ListedPost>("Published", ({ published_at }) => published_at),
  ...instantColumns<ListedPost>("Added", ({ created_at }) => created_at),
  ...instantColumns<ListedPost>("Changed", ({ updated_at }) => updated_at),
  { heading: "Post id", cell: ({ id }) => id },
];

/** True for a path on this site, such as that of a picture in the media library. */
export function isOwnPath(text: string): boolean {
  return /^\/[^\s/]\S*$/.test(text);
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && ["https:", "http:"].includes(new URL(text).protocol) && !/\s/.test(text);
}
