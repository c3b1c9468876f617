/** The part of an image that is kept if it is cropped, as in imgproxy: a side, a corner, the centre, a focal point or the most detailed area. */
type Gravity = (typeof GRAVITIES)[number];

export const GRAVITIES = ["no", "so", "ea", "we", "noea", "nowe", "soea", "sowe", "ce", "sm", "fp"] as const;

export interface Size {
  width: number;
  height: number;
}

/** The position of a crop: offsets below 1 are shares of the length, others pixels; for `fp` they are the point itself. */
export interface CropPosition {
  gravity: Gravity;
  x: number | undefined;
  y: number | undefined;
}

/** The size to scale an image to, and the part to keep of that. */
interface Crop {
  scaled: Size;
  part: Size & { left: number; top: number };
}

/** Calculates how an image fills a box; images are never enlarged. */
export function cropTo(image: Size, box: Size, position: CropPosition): Crop {
  const scale = Math.min(1, Math.max(box.width / image.width, box.height / image.height));
  const scaled = { width: Math.max(1, Math.round(image.width * scale)), height: Math.max(1, Math.round(image.height * scale)) };
  const width = Math.min(box.width, scaled.width);
  const height = Math.min(box.height, scaled.height);
  const { gravity, x, y } = position;
  const left = startOf(scaled.width, width, gravity === "fp" ? "point" : sideOf(gravity, "we", "ea"), x);
  const top = startOf(scaled.height, height, gravity === "fp" ? "point" : sideOf(gravity, "no", "so"), y);
  return { scaled, part: { left, top, width, height } };
}

type Side = "start" | "middle" | "end" | "point";

function sideOf(gravity: Gravity, start: string, end: string): Side {
  if (gravity.includes(start)) return "start";
  return gravity.includes(end) ? "end" : "middle";
}

/** The first pixel of the kept part in one direction, as imgproxy's calcPosition (processing/calc_position.go). */
function startOf(whole: number, part: number, side: Side, offset = 0): number {
  const distance = Math.round(Math.abs(offset) >= 1 && side !== "point" ? offset : offset * whole);
  const starts = {
    start: distance,
    middle: Math.floor((whole - part + 1) / 2) + distance,
    end: whole - part - distance,
    point: distance - Math.floor(part / 2),
  };
  return Math.min(Math.max(starts[side], 0), whole - part);
}
