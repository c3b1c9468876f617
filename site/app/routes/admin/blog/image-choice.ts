import type { StoredPicture } from "../../../stored-pictures.ts";

/** A stored picture and where it is to go. */
export type ChosenImage = StoredPicture & ({ place: "text"; alt: string } | { place: "head" });

/** The pictures among what is pasted or dropped. */
export function imageFiles(data: DataTransfer): File[] {
  return [...data.files].filter(({ type }) => type.startsWith("image/"));
}
