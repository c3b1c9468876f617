import { clearLine, cursorTo } from "node:readline";
import type { OnProgress, Step } from "backend/backup.ts";

const LABELS: Record<Step, string> = {
  rows_saved: "Rows saved",
  files_saved: "Files saved",
  bytes_uploaded: "Megabytes uploaded",
  bytes_downloaded: "Megabytes downloaded",
  bytes_checked: "Megabytes checked",
  files_restored: "Files restored",
  rows_restored: "Rows restored",
  rows_compared: "Rows compared",
};
/** The least time between two states of the line. */
const INTERVAL_MS = 100;

/**
 * Shows the progress of `run` on standard error: on a terminal in one line, which disappears at the end; elsewhere in one line for each
 * finished step.
 */
export async function withProgress<T>(run: (onProgress: OnProgress) => Promise<T>): Promise<T> {
  const screen = process.stderr;
  const isTerminal = screen.isTTY && process.env["TERM"] !== "dumb";
  let shownAt = -Infinity;

  function clear(): void {
    clearLine(screen, 0);
    cursorTo(screen, 0);
  }

  function show(step: Step, done: number, total: number): void {
    if (!isTerminal) {
      if (done === total) screen.write(`${textOf(step, done, total)}\n`);
      return;
    }
    const now = performance.now();
    if (done < total && now - shownAt < INTERVAL_MS) return;
    shownAt = now;
    clear();
    screen.write(textOf(step, done, total));
  }

  try {
    return await run(show);
  } finally {
    if (isTerminal && shownAt > -Infinity) clear();
  }
}

function textOf(step: Step, done: number, total: number): string {
  const isMegabytes = step.startsWith("bytes_");
  const digits = isMegabytes ? 1 : 0;
  const format = (number: number): string =>
    (isMegabytes ? number / 1_000_000 : number).toLocaleString("en-GB", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${LABELS[step]}: ${format(done)} of ${format(total)}`;
}
