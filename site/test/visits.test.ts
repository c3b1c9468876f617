import { describeDatabases } from "backend/test/database.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { openProject, PROJECT_URL, PUBLISHABLE_KEY, type Project } from "./project.ts";

const RECORD = `${PROJECT_URL}/functions/v1/record-page-view`;
const STATS = `${PROJECT_URL}/functions/v1/get-website-stats`;

describeDatabases("visits", (open) => {
  let project: Project;
  let accessToken: string;

  beforeAll(async () => {
    project = await openProject(open);
    ({ accessToken } = await project.staff("staff@site.example"));
  });

  function record(body: unknown, headers: Record<string, string> = {}, url = RECORD): Promise<Response> {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    return project.backend.fetch(new Request(url, { method: "POST", headers: { apikey: PUBLISHABLE_KEY, ...headers }, body: text }));
  }

  function stats(query = "", bearer = accessToken): Promise<Response> {
    return project.backend.fetch(new Request(STATS + query, { headers: { apikey: PUBLISHABLE_KEY, Authorization: `Bearer ${bearer}` } }));
  }

  async function stored(): Promise<number> {
    const [row] = await project.database.transaction((tx) =>
      tx.query<{ count: number }>("select count(*)::integer as count from public.page_views"),
    );
    return row?.count ?? 0;
  }

  test("are counted by page, with every visitor once", async () => {
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
    await project.database.transaction((tx) =>
      tx.script(`insert into public.page_views (page_path, session_id, viewed_at)
        select '/manual-handling', gen_random_uuid(), (date_trunc('day', now() at time zone 'Europe/London') - make_interval(days => 6) + make_interval(secs => second)) at time zone 'Europe/London'
        from (values (-1), (0)) as edge (second)`),
    );
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

  test("a first view sets the session cookie for 365 days, a later one does not renew it", async () => {
    const session_id = crypto.randomUUID();
    const first = await record({ page_path: "/", session_id });
    expect(first.headers.get("set-cookie")).toBe(`visit_session=${session_id}; Path=/; Max-Age=31536000; SameSite=Lax`);
    const later = await record({ page_path: "/", session_id }, { cookie: `theme=dark; visit_session=${session_id}` });
    expect(later.headers.get("set-cookie")).toBeNull();
    const secure = await record({ page_path: "/", session_id }, {}, RECORD.replace("http:", "https:"));
    expect(secure.headers.get("set-cookie")).toMatch(/; Secure$/);
  });

  test.each([
    ["the publishable key", PUBLISHABLE_KEY],
    ["a token of nobody", "a.b.c"],
  ])("the statistics are not shown to %s", async (_who, bearer) => {
    const response = await stats("", bearer);
    expect([response.status, await response.json()]).toEqual([401, { error: "not_authenticated", message: "Not authenticated" }]);
  });

  test.each(["0", "366", "1.5", "all"])("the statistics of %s days are refused", async (days) => {
    expect((await stats(`?days=${days}`)).status).toBe(400);
  });
});
