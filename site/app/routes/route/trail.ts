/** The size of the drawing. */
export const SCENE = { width: 1200, height: 460 };

const SUMMIT = { x: 985, y: 74 };
const START = 96;
const SAMPLES = 90;

/** The outline of the fell that the path climbs. */
export const RIDGE = `M0 460V${edge(0)}${sampled((t) => ({ x: SUMMIT.x * t, y: edge(SUMMIT.x * t) }))}L1030 118 1066 132 1110 186 1150 204 1200 262V460Z`;

/** The path from the valley to the summit. */
export const TRAIL = `M${coordinates(pointAt(0))}${sampled(pointAt)}`;

/** The point of the path after a share of the way, from 0 to 1. */
export function pointAt(share: number): { x: number; y: number } {
  const along = START + (SUMMIT.x - START) * share;
  const bends = 15 * Math.sin(share * 34) * (1 - share) ** 0.3;
  return { x: round(along + bends), y: round(edge(along) + 4 + 14 * (1 - share) ** 0.7 * (share === 1 ? 0 : 1)) };
}

function edge(x: number): number {
  const rise = (x / SUMMIT.x) ** 1.55;
  return round(408 - (408 - SUMMIT.y) * rise + 5 * Math.sin(x / 37) + 3 * Math.sin(x / 11) * rise);
}

function sampled(at: (share: number) => { x: number; y: number }): string {
  return Array.from({ length: SAMPLES }, (_, index) => `L${coordinates(at((index + 1) / SAMPLES))}`).join("");
}

function coordinates({ x, y }: { x: number; y: number }): string {
  return `${x} ${y}`;
}

function round(number: number): number {
  return Math.round(number * 10) / 10;
}
