import { setPriority } from "node:os";
import type { DrawAnswer, DrawOrder } from "./drawing.ts";

// A program of its own, one picture at a time: what a decoder takes of memory, or breaks, is never the site's; and the
// site's pages go first. Threads take the priority of the one that makes them, so it is lowered before any is made.
setPriority(10);
const { draw } = await import("./draw.ts");

process.on("disconnect", () => process.exit());
process.on("message", (order: DrawOrder) => {
  draw(order).then(answer, (error: unknown) =>
    answer({ failure: "failed", reason: error instanceof Error ? (error.stack ?? error.message) : "unknown" }),
  );
});

function answer(given: DrawAnswer): void {
  process.send?.(given);
}
