import { createTestPostgres } from "backend/test/database.ts";
import { startSilentNetwork } from "backend/test/silent-network.ts";
import { startTransactionPooler } from "backend/test/transaction-pooler.ts";
import { TEMPORARY_FILES } from "backend/test/temporary-files.ts";
import { describe, expect, inject, test } from "vitest";
import { type RunningProcess, STAFF, STAFF_ENV, startProcess, temporaryDirectory } from "../support/product.ts";

const KEYS = { PUBLISHABLE_KEY: "sb_publishable_e2e-0123456789abcdef", SECRET_KEY: "sb_secret_e2e-0123456789abcdef" };

describe.skipIf(inject("postgres") === null)("between the product and its Postgres server", () => {
  /** Starts processes of the product, one after the other, which share a data directory. */
  const start = async (cleanup: AsyncDisposableStack, ...urls: string[]): Promise<RunningProcess[]> => {
    const { path: DATA_DIR } = cleanup.use(await temporaryDirectory(TEMPORARY_FILES));
    const sites: RunningProcess[] = [];
    for (const DATABASE_URL of urls)
      sites.push(cleanup.use(await startProcess("server/build/site.js", { DATA_DIR, DATABASE_URL, ...STAFF_ENV, ...KEYS })));
    return sites;
  };
  const createDatabase = async (cleanup: AsyncDisposableStack): Promise<string> => {
    const database = cleanup.adopt(await createTestPostgres({ prepared: inject("seededDatabase") }), ({ remove }) => remove());
    return database.url;
  };

  test("a silent network causes responses 503 with a code and two log lines, and needs no restart afterwards", async () => {
    await using cleanup = new AsyncDisposableStack();
    const url = await createDatabase(cleanup);
    const network = cleanup.adopt(await startSilentNetwork(url), ({ close }) => close());
    const [site] = await start(cleanup, network.url(url));
    if (!site) return expect.unreachable();
    const read = () => fetch(`${site.url}/rest/v1/course_dates?select=id&limit=1`, { headers: { apikey: KEYS.PUBLISHABLE_KEY } });
    const signIn = () =>
      fetch(`${site.url}/auth/v1/token?grant_type=password`, {
        method: "POST",
        headers: { apikey: KEYS.PUBLISHABLE_KEY, "Content-Type": "application/json" },
        body: JSON.stringify(STAFF),
      });
    const health = async (): Promise<number> => (await fetch(`${site.url}/health`)).status;
    expect((await signIn()).status).toBe(200);

    network.fall();
    // The site gives up reading this page before the driver does, which cancels the statement.
    const page = fetch(`${site.url}/blog?uncached`);
    expect(await health()).toBe(503);
    expect((await page).status).toBe(503);
    const answers = await Promise.all(Array.from({ length: 20 }, read));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    expect(await answers[0]?.json()).toMatchObject({ code: "08006" });
    const refused = await signIn();
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({ error_code: "service_unavailable" });
    expect(await health()).toBe(503);

    network.recover();
    await expect.poll(health).toBe(200);
    expect((await read()).status).toBe(200);
    expect((await signIn()).status).toBe(200);
    const messages = site.output().split("\n");
    expect(messages.filter((line) => /"stack":"[^"]/.test(line))).toEqual([]);
    expect(messages.filter((line) => line.includes("the database is not available"))).toHaveLength(1);
    expect(messages.filter((line) => /"failures":\d\d.*the database is available again/.test(line))).toHaveLength(1);
  });

  test('a transaction pooler serves fresh pages in every process, with and without "pgbouncer=true" in the URL', async () => {
    await using cleanup = new AsyncDisposableStack();
    const url = await createDatabase(cleanup);
    const pooler = cleanup.adopt(await startTransactionPooler(url), ({ close }) => close());
    const sites = await start(cleanup, pooler.url(url), `${pooler.url(url)}&pgbouncer=true`);
    const show = async (site: RunningProcess): Promise<string> => (await fetch(`${site.url}/blog`)).text();
    const stale: string[] = [];
    for (const [index, title] of ["Snow", "Rain", "Hail", "Fog", "Sleet", "Thaw"].entries()) {
      // The two processes take turns in writing.
      const [writer, other] = index % 2 === 0 ? sites : sites.toReversed();
      if (!writer || !other) return expect.unreachable();
      await Promise.all(sites.map(show));
      const post = { title, slug: title.toLowerCase(), content: "Drive slowly.", author: "Jo" };
      const headers = { apikey: KEYS.SECRET_KEY, "Content-Type": "application/json" };
      const answer = await fetch(`${writer.url}/rest/v1/blog_posts`, { method: "POST", headers, body: JSON.stringify(post) });
      expect(answer.status).toBe(201);
      if (!(await show(writer)).includes(title)) stale.push(title);
      // Well below the lifetime of a cached page.
      await expect.poll(() => show(other), { timeout: 20_000 }).toContain(title);
    }
    expect(stale).toEqual([]);
  });
});
