declare module "subset-font" {
  /** Keeps the characters of `text` in a font, its axes within the ranges or at one value; gives the font in the target format. */
  export default function subsetFont(
    font: Buffer,
    text: string,
    options: { targetFormat: "woff2" | "sfnt"; variationAxes: Record<string, number | { min: number; max: number }> },
  ): Promise<Buffer>;
}
