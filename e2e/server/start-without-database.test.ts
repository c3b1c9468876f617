import { once } from "node:events";
import { createTestPostgres } from "backend/test/database.ts";
import { collectOutput } from "backend/test/server-process.ts";
import { startSilentNetwork } from "backend/test/silent-network.ts";
import { TEMPORARY_FILES } from "backend/test/temporary-files.ts";
import { startTransactionPooler } from "backend/test/transaction-pooler.ts";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { STAFF_ENV, spawnProcess, temporaryDirectory } from "../support/product.ts";

describe.skipIf(inject("postgres") === null)("a start whose database does not answer yet", () => {
  let cleanup: AsyncDisposableStack;
  let url: string;

  beforeEach(async () => {
    cleanup = new AsyncDisposableStack();
    const database = await createTestPostgres({ prepared: inject("seededDatabase") });
    cleanup.defer(database.remove);
    ({ url } = database);
  });
  afterEach(() => cleanup.disposeAsync());

  /** Starts the product; the returned function reads its output. */
  async function start(DATABASE_URL: string): Promise<() => string> {
    const { path } = cleanup.use(await temporaryDirectory(TEMPORARY_FILES));
    const child = spawnProcess("server/build/site.js", { PORT: "0", DATA_DIR: path, DATABASE_URL, ...STAFF_ENV });
    const closed = once(child, "close");
    cleanup.defer(async () => {
      child.kill();
      await closed;
    });
    return collectOutput(child);
  }

  async function expectToWait(output: () => string, answer: () => unknown): Promise<void> {
    await expect.poll(output).toMatch(/the database is not available|cannot be used/);
    await answer();
    await expect.poll(output).toContain("Ready on ");
    expect(output().match(/the database is not available|cannot be used/g)).toEqual(["the database is not available"]);
  }

  test("waits for a server that cannot be reached, with one line in the log", async () => {
    const network = cleanup.adopt(await startSilentNetwork(url), ({ close }) => close());
    network.fall();
    await expectToWait(await start(network.url(url)), network.recover);
  });

  test("waits for a server that answers too slowly through a pooler, with one line in the log", async () => {
    const pooler = cleanup.adopt(await startTransactionPooler(url), ({ close }) => close());
    const other = cleanup.adopt(new pg.Client({ connectionString: url }), (client) => client.end());
    await other.connect();
    await other.query("begin; lock table auth.announcements in access exclusive mode");
    await expectToWait(await start(pooler.url(url)), () => other.query("commit"));
  });
});
