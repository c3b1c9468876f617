import type { DiskSpace } from "backend";
import pino from "pino";
import { expect, test } from "vitest";
import { diskSpaceJob } from "./disk-space.ts";

test("each change of the free space is logged once, in words and with a level that fits", async () => {
  const lines: unknown[] = [];
  const log = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const states: DiskSpace[] = ["ok", "low", "low", "full", "full", "ok", "ok"];
  const job = diskSpaceJob(() => states.shift() ?? "ok", log);
  while (states.length > 0) await job.run();
  expect(lines).toMatchObject([
    { level: 40, disk: "low", msg: expect.stringContaining("almost full") },
    { level: 50, disk: "full", msg: expect.stringContaining("nothing can be saved") },
    { level: 30, disk: "ok" },
  ]);
});
