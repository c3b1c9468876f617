import type { Format } from "./format.ts";
import type { Transform } from "./transform.ts";

/** One picture to draw, as the process that draws is asked; both files are named by the asker. */
export interface DrawOrder {
  source: string;
  target: string;
  transform: Pick<Transform, "width" | "height" | "resize" | "quality">;
  format: Format;
}

/** Why a picture is not drawn: its content, or the machine. */
export type DrawFailure = "not_a_picture" | "too_many_pixels" | "broken" | "too_slow" | "failed";

export type DrawAnswer = { drawn: true } | { failure: DrawFailure; reason: string };
