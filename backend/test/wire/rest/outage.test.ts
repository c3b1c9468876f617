import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { migratePlatform } from "../../../src/db/migrate/migrate.ts";
import { openPostgres } from "../../../src/db/postgres/postgres.ts";
import { startOwnPostgres, testLog } from "../../database.ts";
import { serveHttp, type TestHttpServer } from "../../http-server.ts";
import { createPostgresDatabase } from "../../postgres/databases.ts";
import type { PostgresServer } from "../../postgres/server.ts";
import { openRestFixture, PUBLISHABLE_KEY } from "./fixture.ts";

describe.skipIf(inject("postgres") === null)("a Postgres server that goes away", () => {
  let server: PostgresServer;
  let http: TestHttpServer;
  let close: () => Promise<void>;

  beforeAll(async () => {
    server = await startOwnPostgres();
    const database = await openPostgres({ url: await createPostgresDatabase(server.url("postgres"), "outage"), poolSize: 4, log: testLog });
    close = database.close;
    await migratePlatform(database, testLog);
    const rest = await openRestFixture(async ({ scripts = [] } = {}) => {
      for (const script of scripts) await database.transaction((tx) => tx.script(script));
      return database;
    });
    http = await serveHttp(rest.fetch);
  });

  afterAll(async () => {
    await http.close();
    await close();
    await server.remove();
  });

  test("gives 503 with Retry-After, and requests succeed again without a restart of the backend", async () => {
    const answers: { status: number; retryAfter: string | null }[] = [];
    const loading = new AbortController();
    const read = async () => {
      const response = await fetch(`${http.url}/rest/v1/rooms?select=id&order=id`, {
        headers: { apikey: PUBLISHABLE_KEY },
      });
      const body: unknown = await response.json();
      answers.push({ status: response.status, retryAfter: response.headers.get("retry-after") });
      return { status: response.status, body };
    };
    const load = Array.from({ length: 8 }, async () => {
      while (!loading.signal.aborted) {
        await read();
        await delay(5);
      }
    });
    for (let outage = 0; outage < 2; outage += 1) {
      const before = answers.length;
      await expect.poll(() => answers.length).toBeGreaterThan(before + 50);
      await server.stop();
      await expect.poll(() => answers.at(-1)?.status).toBe(503);
      await server.start();
      await expect.poll(() => answers.at(-1)?.status).toBe(200);
    }
    loading.abort();
    await Promise.all(load);
    expect(await read()).toEqual({ status: 200, body: [{ id: "r1" }, { id: "r2" }, { id: "r3" }] });
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 503]));
    expect(new Set(answers.map(({ status, retryAfter }) => `${status} ${retryAfter}`))).toEqual(new Set(["200 null", "503 1"]));
  });
});
