import { describeDatabases } from "backend/test/database.ts";
import { beforeAll, expect, test } from "vitest";
import type { CountedView } from "../../supabase/functions/record-page-view/recorder.ts";
import { writeViews } from "../../supabase/functions/record-page-view/write-views.ts";
import { openProject, PROJECT_URL, PUBLISHABLE_KEY, type Project } from "./project.ts";

interface Stats {
  totalPageViews: number;
  uniqueVisitors: number;
  mostViewedPages: { page_path: string; views: number }[];
}

describeDatabases("views of a crowd", (open) => {
  let project: Project;
  let staff: Awaited<ReturnType<Project["staff"]>>;

  beforeAll(async () => {
    project = await openProject(open);
    staff = await project.staff("staff@site.example");
  });

  async function stats(): Promise<Stats> {
    const headers = { apikey: PUBLISHABLE_KEY, Authorization: `Bearer ${staff.accessToken}` };
    const request = new Request(`${PROJECT_URL}/functions/v1/get-website-stats`, { headers });
    return (await project.backend.fetch(request)).json();
  }

  /** How often a page is said to have been viewed, or all of them. */
  async function views(page?: string): Promise<number> {
    const { totalPageViews, mostViewedPages } = await stats();
    return page === undefined ? totalPageViews : (mostViewedPages.find(({ page_path }) => page_path === page)?.views ?? 0);
  }

  /** How many groups lie aside, not yet added to the sums. */
  async function aside(): Promise<unknown> {
    const [row] = await project.database.transaction((tx) => tx.query("select count(day)::integer as places from private.views_aside"));
    return row?.["places"];
  }

  /** How many sessions are known. */
  async function distinctSessions(): Promise<unknown> {
    const [row] = await project.database.transaction((tx) => tx.query("select count(*)::integer as sessions from private.view_sessions"));
    return row?.["sessions"];
  }

  /** How often a page was viewed since it was there first, also one that is not among the most viewed. */
  async function viewsEver(page: string): Promise<number> {
    const [row] = await project.database.transaction((tx) =>
      tx.query<{ total: number }>("select total::integer as total from private.view_counters where kind = 'page' and name = $1", [page]),
    );
    return row?.total ?? 0;
  }

  const record = (group: readonly CountedView[]) => writeViews(project.service, group, 0);

  test("are in the statistics as soon as they are recorded, though they are put aside first", async () => {
    const before = await stats();
    expect(await record(crowd("/fire-marshal"))).toEqual(Array.from({ length: 20 }, () => "recorded"));
    expect(await aside()).toBe(1);
    const after = await stats();
    expect([after.totalPageViews - before.totalPageViews, after.uniqueVisitors - before.uniqueVisitors]).toEqual([20, 20]);
    expect(await aside()).toBe(0);
  });

  test.each(["website_stats", "website_stats_details"])("are in what %s alone tells, as soon as they are recorded", async (name) => {
    await views();
    await record(crowd("/"));
    const { data } = await staff.client.rpc(name, { period_days: 30 });
    expect(await aside()).toBe(0);
    const told = data.totalPageViews ?? data.days.reduce((sum: number, day: { views: number }) => sum + day.views, 0);
    expect(told).toBe(await views());
  });

  test("are added to the sums together, when no more can be put aside", async () => {
    const before = await views();
    for (let group = 0; group < 32; group += 1) await record(crowd("/"));
    expect(await aside()).toBe(32);
    await record(crowd("/"));
    expect(await aside()).toBe(0);
    expect(await views()).toBe(before + 33 * 20);
  });

  test("go into the sums with the next few that come by themselves, which are never put aside", async () => {
    await record(crowd("/"));
    await record(crowd("/").slice(0, 15));
    expect(await aside()).toBe(0);
  });

  test("are all counted, once, however many groups come at once and whoever reads the statistics meanwhile", async () => {
    const before = [await views(), await views("/cctv")];
    const groups = Array.from({ length: 80 }, (_, group) => crowd(group % 2 === 0 ? "/cctv" : "/"));
    const readers = [stats(), stats(), project.service.rpc("forget_page_views")];
    const answers = await Promise.all(groups.map(record));
    await Promise.all(readers);
    expect(new Set(answers.flat())).toEqual(new Set(["recorded"]));
    expect([await views(), await views("/cctv")]).toEqual([(before[0] ?? 0) + 1600, (before[1] ?? 0) + 800]);
  });

  test("are refused one by one where they ask for a post that is not there", async () => {
    await project.service.from("blog_posts").insert({ title: "Rain", content: "Drive slowly.", author: "Jo", slug: "rain" });
    const asked = [crowd("/blog/rain", "rain"), crowd("/blog/sleet", "sleet"), crowd("/"), crowd("/blog/rain", "rain")].flat();
    const before = await views();
    expect(await record(asked)).toEqual(asked.map((view) => (view.post_slug === "sleet" ? "unknown_page" : "recorded")));
    expect(await aside()).toBe(1);
    expect([await views(), await views("/blog/rain"), await views("/blog/sleet")]).toEqual([before + 60, 40, 0]);
  });

  test.each([12, 24])("in groups of %i from several processes neither block each other nor lose a view", async (size) => {
    const before = await views();
    const [first, last] = ["/group-0", `/group-${size - 1}`] as const;
    const ofPages = [await viewsEver(first), await viewsEver(last)];
    const sessions = Array.from({ length: size }, () => crypto.randomUUID());
    const groups = Array.from({ length: 40 }, (_, group) =>
      sessions.map((_session, index): CountedView => ({
        page_path: `/group-${(index * 7 + group) % size}`,
        session_id: sessions[(index * 5 + group) % size] ?? "",
        device: "computer",
        address: `192.0.2.${(index * 11 + group) % size}`,
        address_views: 1,
      })),
    );
    expect(await Promise.all(groups.map(record))).toEqual(groups.map((group) => group.map(() => "recorded")));
    expect(await views()).toBe(before + 40 * size);
    expect([await viewsEver(first), await viewsEver(last)]).toEqual(ofPages.map((count) => count + 40));
    expect((await stats()).uniqueVisitors).toBe(await distinctSessions());
  });

  test.each([
    ["of an unknown kind", { kind: "person", name: "Jo", count: 1 }],
    ["without a kind", { name: "/", count: 1 }],
    ["with a name over 512 characters", { kind: "page", name: "a".repeat(513), count: 1 }],
    ["with nothing counted", { kind: "page", name: "/", count: 0 }],
    ["with a count that is no number", { kind: "page", name: "/", count: "many" }],
  ])("are not put aside with a sum %s, which could never be added", async (_what, sum) => {
    const sessions = crowd("/").map((view) => view.session_id);
    const { error } = await project.service.rpc("record_page_views", { sums: [sum], sessions });
    expect(error?.code).toMatch(/^2[23]/);
    expect(await aside()).toBe(0);
  });
});

function crowd(page_path: string, post_slug?: string): CountedView[] {
  const what = { page_path, device: "phone", ...(post_slug === undefined ? {} : { post_slug }) };
  return Array.from({ length: 20 }, () => ({ ...what, session_id: crypto.randomUUID() }));
}
