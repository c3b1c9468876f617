import { expect, test } from "vitest";
import { describeDatabases } from "../../test/database.ts";
import { claimJob } from "./claim-job.ts";
import { HOUR_MS, type Job } from "../jobs.ts";

describeDatabases("a scheduled job", (open) => {
  test("is claimed by one of several processes per interval", async () => {
    const database = await open();
    const job: Job = { name: "hourly", intervalMs: HOUR_MS, run: () => Promise.resolve() };
    const claims = await Promise.all(Array.from({ length: 5 }, () => claimJob(database, job)));
    expect(claims.filter(Boolean)).toHaveLength(1);
    expect(await claimJob(database, job)).toBe(false);
    expect(await claimJob(database, { ...job, name: "another" })).toBe(true);
    await database.transaction((tx) => tx.query("update auth.scheduled_jobs set started_at = now() - interval '55 minutes'"));
    expect(await claimJob(database, job)).toBe(true);
  });

  test("is claimed again after the clock was set back", async () => {
    const database = await open();
    const job: Job = { name: "hourly", intervalMs: HOUR_MS, run: () => Promise.resolve() };
    expect(await claimJob(database, job)).toBe(true);
    await database.transaction((tx) => tx.query("update auth.scheduled_jobs set started_at = now() + interval '3 hours'"));
    const claims = await Promise.all(Array.from({ length: 5 }, () => claimJob(database, job)));
    expect(claims.filter(Boolean)).toHaveLength(1);
  });
});
