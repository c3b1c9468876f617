declare module "subset-font" {
  /** Subsets a font to the characters of `text` and to the given axis ranges or values, in the target format. */
  export default function subsetFont(
    font: Buffer,
    text: string,
    options: { targetFormat: "woff2" | "sfnt"; variationAxes: Record<string, number | { min: number; max: number }> },
  ): Promise<Buffer>;
}
