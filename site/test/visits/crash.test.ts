import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { openDatabase } from "backend";
import { createTestPostgres, prepareDataDirectory, testLog } from "backend/test/database.ts";
import { TEMPORARY_FILES } from "backend/test/temporary-files.ts";
import { afterAll, describe, expect, inject, test } from "vitest";
import { recordView, startBackend } from "./backend-process.ts";

const CALLERS = 24;
/** The number of acknowledged views after which the process is killed. */
const ACKNOWLEDGED = 250;

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
    if (env["DATABASE_URL"] === undefined) prepareDataDirectory(dataDir, inject("projectDatabase"));
    const first = cleanup.use(await startBackend({ ...env, DATA_DIR: dataDir, START_FRESH: "secrets" }));
    let sent = 0;
    let acknowledged = 0;
    const load = Array.from({ length: CALLERS }, async () => {
      while (first.child.signalCode === null) {
        sent += 1;
        const status = await recordView(first.url, { number: sent });
        if (status === 201) acknowledged += 1;
        if (acknowledged === ACKNOWLEDGED) first.child.kill("SIGKILL");
      }
    });
    await Promise.all(load);

    const database = await openDatabase({ dataDir, databaseUrl: env["DATABASE_URL"], supabaseDir: "supabase", log: testLog });
    cleanup.defer(() => database.close());
    const sums = "select views::int, visitors::int from private.visit_sums(private.today() - 1, private.today())";
    const [stored] = await database.transaction((tx) => tx.query<{ views: number; visitors: number }>(sums));
    expect(acknowledged).toBeGreaterThanOrEqual(ACKNOWLEDGED);
    expect(stored?.views).toBeGreaterThanOrEqual(acknowledged);
    expect(stored?.views).toBeLessThanOrEqual(sent);
    expect(stored?.visitors).toBe(stored?.views);
  });
});
