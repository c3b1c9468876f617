import { setTimeout as delay } from "node:timers/promises";

/** Well above what the longer of two ways takes, so that both end at the same moment. */
const EVEN_MS = 150;

/** Runs work whose duration would tell whether an account exists, and answers no sooner than any such work does. */
export async function inEvenTime<T>(work: () => Promise<T>): Promise<T> {
  const [outcome] = await Promise.allSettled([work(), delay(EVEN_MS)]);
  if (outcome.status === "rejected") throw outcome.reason;
  return outcome.value;
}
