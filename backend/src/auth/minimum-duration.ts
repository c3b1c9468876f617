import { setTimeout as delay } from "node:timers/promises";

/** Longer than the work for an address with an account, and than the work for one without. */
export const MINIMUM_MS = 150;

/** Runs work and waits until the minimum duration is over, so that the time does not reveal if an account exists. */
export async function withMinimumDuration<T>({ minimumMs }: { minimumMs: number }, work: () => Promise<T>): Promise<T> {
  const [outcome] = await Promise.allSettled([work(), delay(minimumMs)]);
  if (outcome.status === "rejected") throw outcome.reason;
  return outcome.value;
}
