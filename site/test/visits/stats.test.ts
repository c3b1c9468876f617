import { describeDatabases } from "backend/test/database.ts";
import { beforeAll, expect, test } from "vitest";
import { openProject, PROJECT_URL, PUBLISHABLE_KEY, type Project } from "../support/project.ts";
import { recordViews } from "./record.ts";

const LONGEST_AGO = 40;

interface View {
  daysAgo: number;
  page_path: string;
  session_id: string;
  referrer?: string;
}

describeDatabases("statistics", (open) => {
  let project: Project;
  let accessToken: string;
  const views = scatteredViews();

  beforeAll(async () => {
    project = await openProject(open);
    ({ accessToken } = await project.staff("staff@site.example"));
    for (let daysAgo = LONGEST_AGO; daysAgo >= 0; daysAgo -= 1) {
      const ofDay = views.filter((view) => view.daysAgo === daysAgo);
      // In two groups, as two processes would record them.
      for (const half of [0, 1]) {
        await recordViews(
          project,
          ofDay.filter((_view, index) => index % 2 === half),
          daysAgo,
        );
      }
    }
  });

  async function details(days: number) {
    const url = `${PROJECT_URL}/functions/v1/get-website-stats?include=details&days=${days}`;
    const headers = { apikey: PUBLISHABLE_KEY, Authorization: `Bearer ${accessToken}` };
    return (await project.backend.fetch(new Request(url, { headers }))).json();
  }

  test("unique visitors of any period are exact, and so are the views of every page", async () => {
    const got = await project.database.transaction((tx) =>
      tx.query<{ first: number; last: number; visitors: number; pages: string | null }>(`select f.ago as first, l.ago as last,
          (select s.visitors from private.visit_sums(today - f.ago, today - l.ago) s)::integer as visitors,
          (select json_object_agg(v.name, v.views) from (
            select c.name, sum(c.count) as views from private.visit_counts c
            where c.kind = 'page' and c.day between today - f.ago and today - l.ago group by c.name
          ) v)::text as pages
        from generate_series(0, ${LONGEST_AGO + 1}) f (ago), generate_series(0, ${LONGEST_AGO + 1}) l (ago), (select private.today()) t (today)
        where f.ago >= l.ago`),
    );
    expect(got.length).toBe(903);
    for (const { first, last, visitors, pages } of got) {
      const inside = views.filter(({ daysAgo }) => daysAgo <= first && daysAgo >= last);
      const distinct = new Set(inside.map((view) => view.session_id)).size;
      const byPage = Object.fromEntries(
        Object.entries(Object.groupBy(inside, (view) => view.page_path)).map(([path, some = []]) => [path, some.length]),
      );
      expect([visitors, JSON.parse(pages ?? "{}")], `${first} to ${last} days ago`).toEqual([distinct, byPage]);
    }
  });

  test.each([1, 7, 30])("the details of the last %i days contain each day and the previous period", async (days) => {
    const answer = await details(days);
    const series = answer.details.days.map(({ views: count, visitors }: { views: number; visitors: number }) => [count, visitors]);
    const expected = Array.from({ length: days }, (_, index) => {
      const ofDay = views.filter((view) => view.daysAgo === days - 1 - index);
      return [ofDay.length, new Set(ofDay.map((view) => view.session_id)).size];
    });
    expect(series).toEqual(expected);
    const before = views.filter((view) => view.daysAgo >= days && view.daysAgo < 2 * days);
    expect(answer.details.before).toEqual({
      uniqueVisitors: new Set(before.map((view) => view.session_id)).size,
      totalPageViews: before.length,
    });
  });

  test("devices, referrers and opt-outs are sums", async () => {
    for (let n = 0; n < 3; n += 1) expect((await project.visitor.functions.invoke("record-opt-out")).error).toBeNull();
    const { details: shown, totalPageViews } = await details(30);
    expect(shown.devices).toEqual([{ name: "computer", views: totalPageViews }]);
    expect(shown.referrers).toEqual([{ name: "search.example", views: views.filter((v) => v.referrer && v.daysAgo < 30).length }]);
    expect(shown.opt_outs).toBe(3);
  });

  test("referrers beyond two hundred a day are counted together", async () => {
    const invented = Array.from({ length: 300 }, (_, index) => ({
      page_path: "/",
      session_id: crypto.randomUUID(),
      referrer: `invented-${String(index).padStart(3, "0")}.example`,
    }));
    await recordViews(project, invented, 1);
    await recordViews(project, [{ page_path: "/", session_id: crypto.randomUUID(), referrer: "a-new-site.example" }]);
    for (const group of [invented.slice(0, 150), invented.slice(150)]) await recordViews(project, group);
    const rows = await project.database.transaction((tx) =>
      tx.query<{ name: string; count: number }>(
        "select name, count::integer from private.visit_counts where kind = 'referrer' and day = private.today()",
      ),
    );
    expect(rows).toContainEqual({ name: "a-new-site.example", count: 1 });
    const separate = rows.filter(({ name }) => name.startsWith("invented-"));
    const others = rows.find(({ name }) => name === "others")?.count ?? 0;
    expect(rows.length).toBeLessThanOrEqual(201);
    expect(separate.length + others).toBe(300);
  });

  test("each course has its numbers of views, enquiries and places of active bookings", async () => {
    await project.database.transaction((tx) =>
      tx.script(`insert into public.enquiries (name, reply_to, message, course_name, created_at)
          select 'N', 'n@site.example', 'm', 'Lvl 2 CCTV', private.now() - make_interval(days => ago) from unnest(array[0, 3, 60]) ago;
        with date as (insert into public.course_dates (course_name, course_date) values ('Lvl 2 CCTV', now() + interval '1 month') returning id)
        insert into public.bookings (course_id, name, places, status, created_at)
          select id, 'N', places, status, private.now() from date, (values (3, 'active'), (2, 'active'), (4, 'cancelled')) b (places, status)`),
    );
    const { details: shown } = await details(30);
    expect(shown.funnel).toHaveLength(15);
    expect(shown.funnel.find((course: { page_path: string }) => course.page_path === "/cctv")).toEqual({
      title: "CCTV Operator",
      page_path: "/cctv",
      views: views.filter((view) => view.page_path === "/cctv" && view.daysAgo < 30).length,
      enquiries: 2,
      places: 5,
    });
  });
});

/** About 600 deterministic views by 60 people, some of them returning, over the last forty days. */
function scatteredViews(): View[] {
  let state = 7;
  const random = (below: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
  const people = Array.from({ length: 60 }, () => crypto.randomUUID());
  return Array.from({ length: 600 }, () => {
    // Some days of the last two weeks have no view.
    const daysAgo = [3, 4, 11].includes(random(12)) ? random(3) : 5 + random(LONGEST_AGO - 4);
    const session_id = people[random(people.length)] ?? "";
    const page_path = ["/", "/cctv", "/blog", "/close-protection"][random(4)] ?? "/";
    return { daysAgo, session_id, page_path, ...(random(5) === 0 ? { referrer: "search.example" } : {}) };
  });
}
