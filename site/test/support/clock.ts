import type { Project } from "./project.ts";

/** Sets the clock of limits, retention and statistics in the database to a fixed time, or back to the real time. */
export async function setClock({ database }: Project, time: Temporal.Instant | null): Promise<void> {
  const body = time === null ? "pg_catalog.now()" : `timestamptz '${time.toString()}'`;
  await database.transaction((tx) =>
    tx.script(`create or replace function private.now() returns timestamptz language sql stable parallel safe as $$ select ${body} $$`),
  );
}

// Read once, so that a test that runs across midnight uses one day.
const TODAY = Temporal.Now.plainDateISO("Europe/London");

/** Noon in London on the day of the test run, or some days before. */
export function noon(daysAgo = 0): Temporal.Instant {
  return TODAY.subtract({ days: daysAgo }).toZonedDateTime({ timeZone: "Europe/London", plainTime: "12:00" }).toInstant();
}
