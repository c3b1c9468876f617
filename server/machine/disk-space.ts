import type { DiskSpace, Job } from "backend";
import type { Logger } from "pino";

/** Logs when the disk of the data directory becomes low, becomes full or has space again. */
export function diskSpaceJob(read: () => DiskSpace, log: Logger): Job {
  let last: DiskSpace = "ok";

  function run(): Promise<void> {
    const disk = read();
    if (disk !== last) {
      if (disk === "full") log.error({ disk }, "the disk is full: nothing can be saved until space is freed");
      else if (disk === "low") log.warn({ disk }, "the disk is almost full: free some space");
      else log.info({ disk }, "the disk has space again");
    }
    last = disk;
    return Promise.resolve();
  }

  return { name: "disk-space", firstRunMs: 0, intervalMs: 60_000, everyProcess: true, run };
}
