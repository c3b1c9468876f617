import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { createTestPostgres, describeDatabases } from "backend/test/database.ts";
import { afterAll, describe, expect, inject, test } from "vitest";
import type { Transaction } from "../../../backend/src/db/database.ts";
import { openProject } from "../support/project.ts";
import { readStats, recordView, startBackend } from "./backend-process.ts";
import { TEMPORARY_FILES } from "backend/test/temporary-files.ts";

describe.skipIf(inject("postgres") === null)("two processes on one Postgres", () => {
  const cleanup = new AsyncDisposableStack();
  afterAll(() => cleanup.disposeAsync());

  test("count every view and every visitor once, in either process", async () => {
    const postgres = await createTestPostgres({ prepared: inject("projectDatabase") });
    cleanup.defer(postgres.remove);
    const urls: string[] = [];
    let first: string | undefined;
    for (const _process of [1, 2]) {
      const dataDir = cleanup.adopt(await mkdtemp(join(TEMPORARY_FILES, "larkfell-processes-")), (path) =>
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

describeDatabases("two transactions that record the same visitor at once", (open, kind) => {
  test("count the visitor once", async () => {
    const { database } = await openProject(open);
    const views = JSON.stringify([{ page_path: "/", session_id: crypto.randomUUID(), device: "computer" }]);
    const record = (tx: Transaction) => tx.query("select public.record_page_views($1::json)", [views]);
    let second: Promise<unknown> | undefined;
    await database.transaction(async (tx) => {
      await record(tx);
      second = database.transaction(record);
      // PGlite runs one transaction at a time.
      if (kind === "pglite") return;
      const blocked = () => tx.query("select from pg_locks where pg_backend_pid() = any (pg_blocking_pids(pid))");
      await expect.poll(blocked).not.toEqual([]);
    });
    await second;
    const counts = await database.transaction((tx) => tx.query("select kind, count::integer from private.visit_counts order by kind"));
    expect(counts).toEqual([
      { kind: "device", count: 2 },
      { kind: "page", count: 2 },
      { kind: "visitor", count: 1 },
    ]);
  });
});
