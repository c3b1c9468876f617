import type { Probe } from "./prober.ts";
import { longestWaits, PROBED_PATHS, waitsOf } from "./probing.ts";

/** Prints the waits of the visitor and of the control, the results of failed visits, and the longest waits. */
export function printWaits(probes: readonly Probe[]): void {
  console.log("\n  answers to another visitor, and to the control");
  for (const path of PROBED_PATHS) {
    for (const isProduct of [true, false]) {
      const { requests, failed, p50, p99, longest } = waitsOf(probes, isProduct, path);
      const name = isProduct ? path.split("?", 1)[0] : "  control";
      const failures = failuresOf(probes.filter(({ product, path: probed }) => product === isProduct && probed === path));
      console.log(
        `  ${String(name).padEnd(26)} ${requests} requests, ${failed} failed${failures}, p50 ${p50} ms, p99 ${p99} ms, longest ${longest} ms`,
      );
    }
  }
  for (const { probe, controlMs } of longestWaits(probes, 5)) {
    const at = new Date(probe.at).toISOString();
    console.log(
      `  ${Math.round(probe.ms)} ms for ${probe.path.split("?", 1)[0]} (${resultOf(probe)}) at ${at}, when the control took ${controlMs} ms`,
    );
  }
}

/** For example ` (429 × 3, 0 ECONNRESET × 2)`; empty without failures. */
function failuresOf(probes: readonly Probe[]): string {
  const kinds = Map.groupBy(
    probes.filter(({ status }) => status !== 200),
    resultOf,
  );
  return kinds.size === 0 ? "" : ` (${[...kinds].map(([kind, { length }]) => `${kind} × ${length}`).join(", ")})`;
}

function resultOf({ status, error }: Probe): string {
  return error === undefined ? String(status) : `${status} ${error}`;
}
