/** Reads a `pg_snapshot` (`xmin:xmax:xip,…`); returns the function that is true for the transactions that it sees. */
export function readSnapshot(text: string): (transaction: number) => boolean {
  const [xmin = "", xmax = "", list = ""] = text.split(":");
  const running = new Set(list.split(",").map(Number));
  return (transaction) => transaction < Number(xmin) || (transaction < Number(xmax) && !running.has(transaction));
}
