import { describeDatabases } from "backend/test/database.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { noon, setClock } from "../support/clock.ts";
import { openProject, PROJECT_URL, PUBLISHABLE_KEY, type Project } from "../support/project.ts";
import { recordViews } from "./record.ts";

const RECORD = `${PROJECT_URL}/functions/v1/record-page-view`;
const STATS = `${PROJECT_URL}/functions/v1/get-website-stats`;

describeDatabases("page views", (open) => {
  let project: Project;
  let accessToken: string;

  beforeAll(async () => {
    project = await openProject(open);
    await setClock(project, noon());
    ({ accessToken } = await project.staff("staff@site.example"));
  });

  function record(
    body: unknown,
    options: { headers?: Record<string, string>; url?: string; clientAddress?: string; saysLength?: boolean } = {},
  ): Promise<Response> {
    const { headers = {}, url = RECORD, clientAddress = "198.51.100.1", saysLength = true } = options;
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const length = saysLength ? { "Content-Length": String(Buffer.byteLength(text)) } : {};
    const request = new Request(url, { method: "POST", headers: { apikey: PUBLISHABLE_KEY, ...length, ...headers }, body: text });
    return project.backend.fetch(request, { clientAddress });
  }

  function stats(query = "", bearer = accessToken): Promise<Response> {
    return project.backend.fetch(new Request(STATS + query, { headers: { apikey: PUBLISHABLE_KEY, Authorization: `Bearer ${bearer}` } }));
  }

  async function optOut(clientAddress: string): Promise<[number, unknown]> {
    const url = `${PROJECT_URL}/functions/v1/record-opt-out`;
    const response = await project.backend.fetch(new Request(url, { method: "POST", headers: { apikey: PUBLISHABLE_KEY } }), {
      clientAddress,
    });
    return [response.status, await response.json()];
  }

  /** The sum of a counter over all days. */
  async function stored(kind = "page", name: string | null = null): Promise<number> {
    const [row] = await project.database.transaction((tx) =>
      tx.query<{ total: number }>(
        "select coalesce(sum(count), 0)::integer as total from private.visit_counts where kind = $1 and name = coalesce($2, name)",
        [kind, name],
      ),
    );
    return row?.total ?? 0;
  }

  test("that cannot be read give 503 with Retry-After", async () => {
    const rename = (from: string, to: string): Promise<unknown> =>
      project.database.transaction((tx) => tx.script(`alter table private.${from} rename to ${to}`));
    await rename("visit_counts", "visit_counts_away");
    const response = await stats();
    await rename("visit_counts_away", "visit_counts");
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(await response.json()).toMatchObject({ error: "stats_unavailable" });
  });

  test("are counted by page, and every visitor once", async () => {
    const [alice, bob] = [crypto.randomUUID(), crypto.randomUUID()];
    await project.service.from("blog_posts").insert({ title: "Snow", content: "Drive slowly.", author: "Jo", slug: "snow" });
    for (const [page_path, session_id] of [
      ["/", alice],
      ["/cctv", alice],
      ["/cctv?from=mail#dates", bob],
      ["/cctv/", bob],
      ["/blog/snow", bob],
    ] as const) {
      expect((await record({ page_path, session_id })).status).toBe(201);
    }
    const response = await stats();
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      periodDays: 30,
      uniqueVisitors: 2,
      totalPageViews: 5,
      mostViewedPages: [
        { title: "CCTV Operator", page_path: "/cctv", views: 3 },
        { title: "Home", page_path: "/", views: 1 },
        { title: "Snow", page_path: "/blog/snow", views: 1 },
      ],
    });
  });

  test("older than the period are left out, by Europe/London days", async () => {
    for (const daysAgo of [7, 6]) await recordViews(project, [{ page_path: "/manual-handling", session_id: crypto.randomUUID() }], daysAgo);
    const page = async (days: number): Promise<number | undefined> => {
      const { mostViewedPages } = await (await stats(`?days=${days}`)).json();
      return mostViewedPages.find((entry: { page_path: string }) => entry.page_path === "/manual-handling")?.views;
    };
    expect([await page(6), await page(7), await page(8)]).toEqual([undefined, 1, 2]);
  });

  describe("refuses", () => {
    const session_id = crypto.randomUUID();
    test.each([
      ["a body that is no JSON", "page", "invalid_page_path"],
      ["no path", { session_id }, "invalid_page_path"],
      ["a session that is no UUID", { page_path: "/", session_id: "me" }, "invalid_session_id"],
      ["a page of the portal", { page_path: "/admin", session_id }, "unknown_page"],
      ["a page that does not exist", { page_path: "/wp-login.php", session_id }, "unknown_page"],
      ["a post that does not exist", { page_path: "/blog/nobody-wrote-this", session_id }, "unknown_page"],
      ["a path over 512 characters", { page_path: `/${"a".repeat(600)}`, session_id }, "unknown_page"],
      ["another site", { page_path: "https://elsewhere.example/", session_id }, "unknown_page"],
      ["a body over 4 KB", { page_path: "/", session_id, more: "x".repeat(5000) }, "body_too_large"],
    ])("%s, and stores nothing", async (_what, body, error) => {
      const before = await stored();
      const response = await record(body);
      expect([response.status, (await response.json()).error]).toEqual([400, error]);
      expect(await stored()).toBe(before);
    });
  });

  test.each([true, false])("a body over 10 MB does not reach the function, with or without Content-Length (%s)", async (saysLength) => {
    const response = await record({ page_path: "/", more: "x".repeat(11_000_000) }, { saysLength });
    expect([response.status, (await response.json()).code]).toEqual([413, "body_too_large"]);
  });

  test("a first view sets the session cookie for 365 days, a later one does not renew it", async () => {
    const session_id = crypto.randomUUID();
    const first = await record({ page_path: "/", session_id });
    expect(first.headers.get("set-cookie")).toBe(`visit_session=${session_id}; Path=/; Max-Age=31536000; SameSite=Lax`);
    const later = await record({ page_path: "/", session_id }, { headers: { cookie: `theme=dark; visit_session=${session_id}` } });
    expect(later.headers.get("set-cookie")).toBeNull();
    const secure = await record({ page_path: "/", session_id }, { url: RECORD.replace("http:", "https:") });
    expect(secure.headers.get("set-cookie")).toMatch(/; Secure$/);
    const behindProxy = await record({ page_path: "/", session_id }, { headers: { origin: "https://site.example" } });
    expect(behindProxy.headers.get("set-cookie")).toMatch(/; Secure$/);
  });

  test.each([
    ["of a bot", { "user-agent": "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)" }, "bot"],
    ["of a visitor who sends Global Privacy Control", { "sec-gpc": "1" }, "opt_out"],
    ["of a visitor who opted out", { cookie: "visit_opt_out=1" }, "opt_out"],
  ])("a view %s is not counted and sets no cookie", async (_whose, headers, reason) => {
    const before = [await stored(), await stored("opt_out")];
    const response = await record({ page_path: "/", session_id: crypto.randomUUID() }, { headers });
    expect([response.status, await response.json()]).toEqual([200, { recorded: false, reason }]);
    expect(response.headers.get("set-cookie")).toBeNull();
    expect([await stored(), await stored("opt_out")]).toEqual(before);
  });

  test("the view of signed-in staff is not counted; the publishable key or an anonymous key as bearer is a visitor's", async () => {
    const body = { page_path: "/", session_id: crypto.randomUUID() };
    const own = await record(body, { headers: { authorization: `Bearer ${accessToken}` } });
    expect(await own.json()).toEqual({ recorded: false, reason: "staff" });
    const anonymousKey = `e30.${Buffer.from('{"role":"anon"}').toString("base64url")}.e30`;
    for (const key of [PUBLISHABLE_KEY, anonymousKey]) {
      expect((await record(body, { headers: { authorization: `Bearer ${key}` } })).status).toBe(201);
    }
  });

  test("concurrent views are all counted", async () => {
    const before = [await stored(), await stored("page", "/cctv"), await stored("page", "/blog/nobody-wrote-this")];
    const paths = Array.from({ length: 120 }, (_, index) => (index % 3 === 0 ? "/blog/nobody-wrote-this" : "/cctv"));
    const answers = await Promise.all(paths.map((page_path) => record({ page_path, session_id: crypto.randomUUID() })));
    expect(answers.map((answer) => answer.status)).toEqual(paths.map((path) => (path === "/cctv" ? 201 : 400)));
    const after = [await stored(), await stored("page", "/cctv"), await stored("page", "/blog/nobody-wrote-this")];
    expect(after).toEqual([(before[0] ?? 0) + 80, (before[1] ?? 0) + 80, 0]);
  });

  test("of one network are counted up to 600 in ten minutes, and its address is not stored", async () => {
    const view = { page_path: "/", network: "203.0.113.9" };
    const before = await stored();
    const first = Array.from({ length: 595 }, () => ({ ...view, session_id: crypto.randomUUID() }));
    expect(await recordViews(project, first)).toEqual(first.map(() => "recorded"));
    const body = { page_path: "/", session_id: crypto.randomUUID() };
    const forged = { clientAddress: "203.0.113.9", headers: { "x-forwarded-for": "192.0.2.77" } };
    const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => record(body, { ...forged, saysLength: n % 2 === 0 })));
    expect(Object.groupBy(answers, ({ status }) => status)).toMatchObject({ 201: { length: 5 }, 429: { length: 7 } });
    const refused = answers.find(({ status }) => status === 429);
    expect(await refused?.json()).toMatchObject({ error: "rate_limited" });
    expect(refused?.headers.get("retry-after")).toBe("600");
    expect(await stored()).toBe(before + 600);
    expect((await record(body, { clientAddress: "203.0.113.10" })).status).toBe(201);
    for (const table of ["rate_limit_counts", "rate_limit_windows", "visit_sessions", "visit_counts"]) {
      const rows = await project.database.transaction((tx) => tx.query(`select * from private.${table}`));
      expect(rows).not.toEqual([]);
      expect(JSON.stringify(rows)).not.toContain("203.0.113");
    }
    await setClock(project, noon().add({ minutes: 10 }));
    expect((await record(body, { clientAddress: "203.0.113.9" })).status).toBe(201);
    await setClock(project, noon());
  });

  test("the opt-out of a visitor is counted and is no page view", async () => {
    const before = [await stored(), await stored("opt_out")];
    expect(await optOut("198.51.100.7")).toEqual([200, { done: true }]);
    expect([await stored(), await stored("opt_out")]).toEqual([before[0], (before[1] ?? 0) + 1]);
  });

  test("opt-outs of one network are counted up to twenty in ten minutes, and all are answered", async () => {
    const before = await stored("opt_out");
    const answers = await Promise.all(Array.from({ length: 25 }, (_, n) => optOut(`2001:db8:9:9::${n + 1}`)));
    expect(answers).toEqual(answers.map(() => [200, { done: true }]));
    expect(await stored("opt_out")).toBe(before + 20);
    await optOut("2001:db8:9:a::1");
    expect(await stored("opt_out")).toBe(before + 21);
  });

  test.each([
    ["the publishable key", PUBLISHABLE_KEY],
    ["an invalid token", "a.b.c"],
  ])("the statistics are not shown to %s", async (_who, bearer) => {
    const response = await stats("", bearer);
    expect([response.status, await response.json()]).toEqual([401, { error: "not_authenticated", message: "Not authenticated" }]);
  });

  test.each(["0", "366", "1.5", "all"])("the statistics of %s days are refused", async (days) => {
    expect((await stats(`?days=${days}`)).status).toBe(400);
  });
});
