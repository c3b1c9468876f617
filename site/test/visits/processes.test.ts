import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestPostgres } from "backend/test/database.ts";
import { afterAll, describe, expect, inject, test } from "vitest";
import { readStats, recordView, startBackend } from "./backend-process.ts";

describe.skipIf(inject("postgres") === null)("two processes on one Postgres", () => {
  const cleanup = new AsyncDisposableStack();
  afterAll(() => cleanup.disposeAsync());

  test("count every view and every visitor once, in either process", async () => {
    const postgres = await createTestPostgres({ prepared: inject("projectDatabase") });
    cleanup.defer(postgres.remove);
    const urls: string[] = [];
    let first: string | undefined;
    for (const _process of [1, 2]) {
      const dataDir = cleanup.adopt(await mkdtemp(join(tmpdir(), "larkfell-processes-")), (path) =>
        rm(path, { recursive: true, force: true }),
      );
      // Processes on one database share its secrets.
      if (first !== undefined) await copyFile(join(first, "secrets.json"), join(dataDir, "secrets.json"));
      first ??= dataDir;
      urls.push(cleanup.use(await startBackend({ DATABASE_URL: postgres.url, DATA_DIR: dataDir })).url);
    }

    const sessions = Array.from({ length: 40 }, () => crypto.randomUUID());
    const views = Array.from({ length: 400 }, (_, number) => ({ number, session: sessions[(number * 7) % 40] ?? "" }));
    const statuses = await Promise.all(views.map((view) => recordView(urls[view.number % 3 === 0 ? 0 : 1] ?? "", view)));
    expect(new Set(statuses)).toEqual(new Set([201]));
    for (const url of urls) expect(await readStats(url)).toMatchObject({ totalPageViews: 400, uniqueVisitors: 40 });
  });
});
