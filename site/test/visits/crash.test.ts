import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { createTestPostgres, prepareDataDirectory } from "backend/test/database.ts";
import { afterAll, describe, expect, inject, test } from "vitest";
import { readStats, recordView, startBackend } from "./backend-process.ts";
import { TEMPORARY_FILES } from "backend/test/temporary-files.ts";

const CALLERS = 24;

/** The additional environment of each driver, with its removal. */
const drivers: Record<string, () => Promise<{ env: Record<string, string>; remove: () => Promise<void> }>> = {
  PGlite: () => Promise.resolve({ env: {}, remove: () => Promise.resolve() }),
  Postgres: async () => {
    const { url, remove } = await createTestPostgres({ prepared: inject("projectDatabase") });
    return { env: { DATABASE_URL: url }, remove };
  },
};

describe.each(Object.entries(drivers))("views on %s", (name, prepare) => {
  const cleanup = new AsyncDisposableStack();
  afterAll(() => cleanup.disposeAsync());

  test.skipIf(name === "Postgres" && inject("postgres") === null)("that were acknowledged survive kill -9 under load", async () => {
    const dataDir = cleanup.adopt(await mkdtemp(join(TEMPORARY_FILES, "larkfell-crash-")), (path) =>
      rm(path, { recursive: true, force: true }),
    );
    const { env, remove } = await prepare();
    cleanup.defer(remove);
    if (env["DATABASE_URL"] === undefined) await prepareDataDirectory(dataDir, inject("projectDatabase"));
    const settings = { ...env, DATA_DIR: dataDir, START_FRESH: "secrets" };

    const first = cleanup.use(await startBackend(settings));
    let sent = 0;
    let acknowledged = 0;
    const load = Array.from({ length: CALLERS }, async () => {
      while (first.child.signalCode === null) {
        sent += 1;
        const status = await recordView(first.url, { number: sent });
        if (status === 201) acknowledged += 1;
        if (acknowledged === 500) first.child.kill("SIGKILL");
      }
    });
    await Promise.all(load);

    const second = cleanup.use(await startBackend(settings));
    const { totalPageViews, uniqueVisitors } = await readStats(second.url);
    expect(acknowledged).toBeGreaterThanOrEqual(500);
    expect(totalPageViews).toBeGreaterThanOrEqual(acknowledged);
    expect(totalPageViews).toBeLessThanOrEqual(sent);
    expect(uniqueVisitors).toBe(totalPageViews);
  });
});
