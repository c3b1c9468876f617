/** A photograph in several widths and formats, with a JPEG for browsers without AVIF and WebP. */
interface Photo {
  /** `srcset` by format, the smallest files first. */
  sources: Record<string, string>;
  img: { src: string; w: number; h: number };
}

// vite-imagetools makes AVIF, WebP and JPEG of every file there, for device pixel ratios of 1, 2 and 3.
const photos = import.meta.glob<Photo>("../photos/{courses,team}/*.{jpg,jpeg,png}", {
  eager: true,
  import: "default",
  query: "?format=avif;webp;jpg&w=320;640;960&as=picture",
});

/** The photograph of a course or a person (`photos/team/<id>.jpg`), if one replaces the illustration (decision 012). */
export function photoOf(kind: "courses" | "team", id: string): Photo | undefined {
  return ["jpg", "jpeg", "png"].map((ending) => photos[`../photos/${kind}/${id}.${ending}`]).find((photo) => photo !== undefined);
}
