import type { StoredPicture } from "../../../pictures/stored-pictures.ts";

/** A stored picture and where it is to go. */
export type ChosenImage = StoredPicture & ({ place: "text"; alt: string } | { place: "head" });

/** The pictures of a paste. With words among it the words are meant: a table brings its own likeness along. */
export function pastedPictures(data: DataTransfer): File[] {
  return data.getData("text/plain") === "" ? [...data.files].filter(({ type }) => type.startsWith("image/")) : [];
}
