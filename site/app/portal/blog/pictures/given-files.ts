/** The pictures of a paste, or the files that were dropped. */
export function filesOf(event: ClipboardEvent | DragEvent): File[] {
  if ("clipboardData" in event) return event.clipboardData ? pastedPictures(event.clipboardData) : [];
  return [...(event.dataTransfer?.files ?? [])];
}

/** The pictures of a paste that has no text; a copied table carries its text and a picture of it. */
export function pastedPictures(data: DataTransfer): File[] {
  return data.getData("text/plain") === "" ? [...data.files].filter(({ type }) => type.startsWith("image/")) : [];
}
