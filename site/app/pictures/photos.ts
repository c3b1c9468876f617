/** A photograph in the forms the build made of it: widths by format, and what serves browsers that know none of these. */
export interface Photo {
  /** `srcset` by format, the smallest files first. */
  sources: Record<string, string>;
  img: { src: string; w: number; h: number };
}

// vite-imagetools makes AVIF, WebP and JPEG of whatever lies there, for screens of one, two and three pixels a point.
const photos = import.meta.glob<Photo>("../photos/{courses,team}/*.{jpg,jpeg,png}", {
  eager: true,
  import: "default",
  query: "?format=avif;webp;jpg&w=320;640;960&as=picture",
});

/** The photograph of a course or a person (`photos/team/<id>.jpg`), where one takes the place of the drawing. */
export function photoOf(kind: "courses" | "team", id: string): Photo | undefined {
  return ["jpg", "jpeg", "png"].map((ending) => photos[`../photos/${kind}/${id}.${ending}`]).find((photo) => photo !== undefined);
}
