import { describeDatabases } from "backend/test/database.ts";
import { beforeAll, expect, test } from "vitest";
import { writeViews } from "../../supabase/functions/record-page-view/write-views.ts";
import { countOn, putAsideOn } from "./past-visits.ts";
import { openProject, PROJECT_URL, PUBLISHABLE_KEY, type Project } from "./project.ts";

const LONGEST_AGO = 40;

interface View {
  daysAgo: number;
  page_path: string;
  session_id: string;
  referrer?: string;
}

describeDatabases("the sums of visits", (open) => {
  let project: Project;
  let accessToken: string;
  const views = scatteredViews();

  beforeAll(async () => {
    project = await openProject(open);
    ({ accessToken } = await project.staff("staff@site.example"));
    for (let daysAgo = LONGEST_AGO; daysAgo >= 0; daysAgo -= 1) {
      const ofDay = views.filter((view) => view.daysAgo === daysAgo);
      // In two groups, as two processes would record them; two days of three they lie aside until others are counted.
      for (const half of [0, 1]) {
        const record = daysAgo % 3 === 0 ? countOn : putAsideOn;
        await record(
          project,
          daysAgo,
          ofDay.filter((_view, index) => index % 2 === half),
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
          private.visitors_between(today - f.ago, today - l.ago)::integer as visitors,
          (select json_object_agg(v.name, v.views) from private.views_between('page', today - f.ago, today - l.ago) v where v.views > 0)::text as pages
        from generate_series(0, ${LONGEST_AGO + 1}) f (ago), generate_series(0, ${LONGEST_AGO + 1}) l (ago), (select (now() at time zone 'Europe/London')::date) t (today)
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

  test.each([1, 7, 30])("the last %i days are told day by day, beside the period before", async (days) => {
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

  test("devices, referrers and objections are told as sums", async () => {
    await writeViews(project.service, [], 3);
    const { details: told, totalPageViews } = await details(30);
    expect(told.devices).toEqual([{ name: "computer", views: totalPageViews }]);
    expect(told.referrers).toEqual([{ name: "search.example", views: views.filter((v) => v.referrer && v.daysAgo < 30).length }]);
    expect(told.objections).toBe(3);
  });

  test("made-up referrers beyond a thousand are counted together", async () => {
    const made = Array.from({ length: 1100 }, (_, index) => ({
      page_path: "/",
      device: "phone",
      session_id: crypto.randomUUID(),
      referrer: `made-up-${index}.example`,
    }));
    for (const some of [made.slice(0, 1050), made.slice(1050)]) await writeViews(project.service, some, 0);
    await details(30);
    const [{ names = 0, others = 0 } = {}] = await project.database.transaction((tx) =>
      tx.query(`select count(*)::integer as names, sum(total) filter (where name = 'others')::integer as others
        from private.view_counters where kind = 'referrer'`),
    );
    expect(Number(names)).toBeLessThanOrEqual(1060);
    expect(others).toBe(50);
  });

  test("each course tells how its views became enquiries and bookings", async () => {
    await project.database.transaction((tx) =>
      tx.script(`insert into public.enquiries (name, reply_to, message, course_name, created_at)
          select 'N', 'n@site.example', 'm', 'Lvl 2 CCTV', now() - make_interval(days => ago) from unnest(array[0, 3, 60]) ago;
        with date as (insert into public.course_dates (course_name, course_date) values ('Lvl 2 CCTV', now() + interval '1 month') returning id)
        insert into public.bookings (course_id, name, email) select id, 'N', 'n@site.example' from date`),
    );
    const { details: told } = await details(30);
    expect(told.funnel).toHaveLength(15);
    expect(told.funnel.find((course: { page_path: string }) => course.page_path === "/cctv")).toEqual({
      title: "CCTV Operator",
      page_path: "/cctv",
      views: views.filter((view) => view.page_path === "/cctv" && view.daysAgo < 30).length,
      enquiries: 2,
      bookings: 1,
    });
  });

  test("a session is forgotten 365 days after its last visit, the hash of an address after ten minutes", async () => {
    const [kept, forgotten] = [crypto.randomUUID(), crypto.randomUUID()];
    await countOn(project, 366, [{ page_path: "/", session_id: forgotten }]);
    await countOn(project, 365, [{ page_path: "/", session_id: kept }]);
    const one = { page_path: "/", session_id: crypto.randomUUID(), device: "phone", address: "192.0.2.1", address_views: 10 };
    await writeViews(project.service, [one], 0);
    await putAsideOn(project, 0, [one]);
    await project.database.transaction((tx) => tx.script("update private.view_salts set period = period - interval '20 minutes'"));
    expect((await project.service.rpc("forget_page_views")).error).toBeNull();
    const [left] = await project.database.transaction((tx) =>
      tx.query(
        `select array(select session_id from private.view_sessions where session_id::text in ($1, $2))::text as sessions,
          (select count(*) from private.view_limits)::integer as limits, (select count(*) from private.view_salts)::integer as salts,
          (select count(sessions) from private.views_aside)::integer as aside`,
        [kept, forgotten],
      ),
    );
    expect(left).toEqual({ sessions: `{${kept}}`, limits: 0, salts: 0, aside: 0 });
  });
});

/** Some 600 views by 60 people, some of whom come back, from forty days ago until today; always the same ones. */
function scatteredViews(): View[] {
  let state = 7;
  const random = (below: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
  const people = Array.from({ length: 60 }, () => crypto.randomUUID());
  return Array.from({ length: 600 }, () => {
    // The last two weeks' quietest days have no view at all.
    const daysAgo = [3, 4, 11].includes(random(12)) ? random(3) : 5 + random(LONGEST_AGO - 4);
    const session_id = people[random(people.length)] ?? "";
    const page_path = ["/", "/cctv", "/blog", "/close-protection"][random(4)] ?? "/";
    return { daysAgo, session_id, page_path, ...(random(5) === 0 ? { referrer: "search.example" } : {}) };
  });
}
