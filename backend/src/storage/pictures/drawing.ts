import type { Format } from "./format.ts";
import type { Transform } from "./transform.ts";

/** One picture to draw, as the process that draws is asked; both files are named by the asker. */
export interface DrawOrder {
  source: string;
  target: string;
  transform: Pick<Transform, "width" | "height" | "resize" | "quality">;
  format: Format;
}

/** What is wrong with a picture that is not drawn. */
export type DrawFailure = "not_a_picture" | "too_many_pixels" | "broken";

export type DrawAnswer = { drawn: true } | { failure: DrawFailure; reason: string };
