import { setPriority } from "node:os";
import type { Undrawn } from "./image-worker-pool.ts";

/**
 * Makes this process one of a `Drawer`'s: it draws what it is ordered, one picture at a time, and ends with the process that
 * orders. What a decoder takes of memory, or breaks, is never the site's; and the site's pages go first: threads take the
 * priority of the one that makes them, so it is lowered before `load` brings any.
 */
export async function serveOrders(load: () => Promise<{ draw(order: unknown): Promise<unknown> }>): Promise<void> {
  setPriority(10);
  const { draw } = await load();
  process.on("disconnect", () => process.exit());
  process.on("message", (order) => {
    draw(order).then(answer, (error: unknown) =>
      answer({ failure: "failed", reason: error instanceof Error ? (error.stack ?? error.message) : "unknown" } satisfies Undrawn),
    );
  });
}

function answer(given: unknown): void {
  process.send?.(given);
}
