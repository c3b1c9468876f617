import { setTimeout as delay } from "node:timers/promises";

const PERIOD_MS = 10 * 60_000;

/** Waits for midnight in London where it is about to strike: what is counted by days must be looked at on the same one. */
export async function dayToSpare(ms: number): Promise<void> {
  const now = Temporal.Now.zonedDateTimeISO("Europe/London");
  await wait(now.startOfDay().add({ days: 1 }).epochMilliseconds - now.epochMilliseconds, ms);
}

/** Waits for the next of the periods of ten minutes in which views are counted by address, where it is about to begin. */
export async function periodToSpare(ms: number): Promise<void> {
  await wait(PERIOD_MS - (Date.now() % PERIOD_MS), ms);
}

async function wait(left: number, wanted: number): Promise<void> {
  if (left < wanted) await delay(left + 50);
}
