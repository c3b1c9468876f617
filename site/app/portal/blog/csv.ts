import type { CsvColumn } from "../lists/csv.ts";
import type { ListedPost } from "./schema.ts";

/** Every column of a post but its text, which no cell of a spreadsheet holds, in the order of the file. */
export const postColumns: readonly CsvColumn<ListedPost>[] = [
  { heading: "Post", cell: ({ id }) => id },
  { heading: "Title", cell: ({ title }) => title },
  { heading: "Author", cell: ({ author }) => author },
  { heading: "Address", cell: ({ slug }) => slug },
  { heading: "Image", cell: ({ image_url }) => image_url },
  { heading: "Published", cell: ({ published_at }) => published_at },
  { heading: "Added", cell: ({ created_at }) => created_at },
  { heading: "Changed", cell: ({ updated_at }) => updated_at },
];
