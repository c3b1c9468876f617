import type { CsvColumn } from "../lists/csv.ts";
import type { ListedPost } from "./schema.ts";

/** The columns of a post except its content, which is too long for a cell. */
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
