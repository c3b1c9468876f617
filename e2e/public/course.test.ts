import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { courseById } from "content/courses/index.ts";
import { provider } from "content/provider.ts";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { DESK, follow, openPublicSite, spaced, structuredData } from "../support/public-site.ts";

// The page of a course, and the route that leads to the work for which it trains.

const KEYS = { PUBLISHABLE_KEY: "sb_publishable_course-0123456789abcdef", SECRET_KEY: "sb_secret_course-0123456789abcdef" };

const site = openPublicSite(KEYS);
let office: SupabaseClient;
let page: Page;

beforeAll(async () => {
  office = createClient(site.url(), KEYS.SECRET_KEY, { auth: { persistSession: false } });
  page = await site.open({ viewport: DESK });
});

describe("a course page", () => {
  const cctv = courseById("cctv");
  const dates = (): Locator => page.getByRole("region", { name: "Next dates" });

  beforeAll(async () => {
    await office.from("course_dates").delete().eq("course_name", "Lvl 2 CCTV");
    const { data } = await office
      .from("course_dates")
      .insert(
        [
          { course_name: "Lvl 2 CCTV", course_date: "2031-03-03T09:00Z", capacity: 2 },
          { course_name: "Lvl 2 CCTV", course_date: "2031-07-07T08:00Z", capacity: 1 },
          { course_name: "Lvl 2 CCTV", course_date: "2031-08-04T08:00Z", capacity: 4, status: "cancelled" },
          { course_name: "Lvl 2 CCTV", course_date: "2020-08-04T08:00Z", capacity: 4 },
        ],
        { defaultToNull: false },
      )
      .select("id")
      .order("course_date");
    const [, first, second] = data ?? [];
    const { error } = await office.from("bookings").insert([
      { course_id: first?.id, name: "Ada" },
      { course_id: second?.id, name: "Ben" },
    ]);
    if (error) throw error;
    await page.goto("/cctv");
  });

  test("shows the places left on each future date, and which dates are full or cancelled", async () => {
    const shown = await dates().getByRole("article").locator("strong").allInnerTexts();
    expect(shown.map(spaced)).toEqual(["1 place left", "Full", "Cancelled"]);
  });

  test("has links to call, and to write with course and date in the subject", async () => {
    const [first, full] = [dates().getByRole("article").nth(0), dates().getByRole("article").nth(1)];
    expect(await first.getByRole("link", { name: "Call to Book" }).getAttribute("href")).toBe(provider.phoneHref);
    const mail = new URL((await first.getByRole("link", { name: "Email Us" }).getAttribute("href")) ?? "");
    expect([mail.protocol, mail.pathname]).toEqual(["mailto:", provider.email]);
    expect(mail.searchParams.get("subject")).toBe(`${cctv?.title}, Monday 3 March 2031, 09:00`);
    expect(await full.getByRole("link", { name: "Call to Book" }).count()).toBe(0);
    expect(await full.getByRole("link", { name: "Email Us" }).count()).toBe(1);
  });

  test("offers a calendar file for each date that takes place, in London time", async () => {
    const links = dates().getByRole("link", { name: "Add to calendar" });
    const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
    expect(hrefs).toHaveLength(2);
    const files = await Promise.all(hrefs.map(async (href) => fetch(site.url() + href)));
    expect(files.map(({ headers }) => headers.get("content-type"))).toEqual(Array(2).fill("text/calendar; charset=utf-8"));
    const [winter = "", summer = ""] = await Promise.all(files.map((file) => file.text()));
    for (const file of [winter, summer]) expect(file).toMatch(/^BEGIN:VCALENDAR\r\n[\s\S]*SUMMARY:CCTV[\s\S]*END:VCALENDAR\r\n$/);
    expect(winter).toMatch(/DTSTART(;TZID=Europe\/London:20310303T090000|:20310303T090000Z)\r\n/);
    expect(summer).toMatch(/DTSTART(;TZID=Europe\/London:20310707T090000|:20310707T080000Z)\r\n/);
    expect((await fetch(`${site.url()}/calendar/${crypto.randomUUID()}.ics`)).status).toBe(404);
  });

  test("shows every text of the course, the later parts of the syllabus on demand", async () => {
    if (!cctv) throw new Error("no such course");
    await page.locator("#syllabus ~ ol details:not([open])").first().locator("summary").click();
    await page.getByText(cctv.syllabus[1]?.topics[0] ?? "").waitFor();
    const text = spaced((await page.getByRole("main").textContent()) ?? "");
    const parts = [cctv.description, ...cctv.overview, ...cctv.features, ...cctv.bring, ...cctv.prerequisites, cctv.location];
    const steps = cctv.syllabus.flatMap(({ title, topics }) => topics.concat(title));
    for (const part of [...parts, ...steps]) expect(text).toContain(part);
  });

  test("gives search engines its price and dates as structured data", async () => {
    const graph = await structuredData(page, "/cctv");
    expect(graph).toContainEqual(
      expect.objectContaining({
        "@type": "Course",
        provider: expect.objectContaining({ name: provider.name }),
        offers: expect.objectContaining({ price: 350, priceCurrency: "GBP" }),
        hasCourseInstance: [
          expect.objectContaining({ startDate: "2031-03-03T09:00Z" }),
          expect.objectContaining({ startDate: "2031-07-07T08:00Z" }),
          expect.objectContaining({ startDate: "2031-08-04T08:00Z", eventStatus: "https://schema.org/EventCancelled" }),
        ],
      }),
    );
    expect(graph).toContainEqual(expect.objectContaining({ "@type": "BreadcrumbList" }));
  });

  test.each<[change: string, path: string, make: () => PromiseLike<{ error: unknown }>]>([
    ["changed", "/cctv", () => courseDates().update({ description: "Bring a pen." }).eq("course_name", "Lvl 2 CCTV")],
    ["cancelled", "/cctv", () => courseDates().update({ status: "cancelled" }).eq("course_date", "2031-03-03T09:00Z")],
    ["deleted", "/cctv", () => courseDates().delete().eq("course_date", "2031-08-04T08:00Z")],
    [
      "given to another course",
      "/cctv",
      () => courseDates().update({ course_name: "Manual Handling" }).eq("course_date", "2020-08-04T08:00Z"),
    ],
    ["deleted", "/", () => courseDates().delete().eq("course_name", "Safeguarding Lead Training Level 3")],
  ])("has a later time in the sitemap once a date is %s: %s", async (_change, path, make) => {
    const modified = async (): Promise<number> => {
      const sitemap = await (await fetch(`${site.url()}/sitemap.xml`)).text();
      return Date.parse(new RegExp(`<loc>${site.url()}${path}</loc><lastmod>([^<]+)`).exec(sitemap)?.[1] ?? "");
    };
    const before = await modified();
    expect((await make()).error).toBeNull();
    await expect.poll(modified).toBeGreaterThan(before);
  });

  function courseDates() {
    return office.from("course_dates");
  }

  test("asks visitors to contact the office if there are no dates", async () => {
    await office.from("course_dates").delete().eq("course_name", "Manual Handling");
    await page.goto("/manual-handling");
    await dates().getByText("No dates are set for this course at the moment. Please contact the office").waitFor();
    for (const way of [provider.phone, provider.email]) await dates().getByRole("link", { name: way }).waitFor();
  });

  test("prints its dates and leaves out navigation and buttons", async () => {
    await page.goto("/cctv");
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    for (const part of ["Main", "Courses", "Site"])
      expect(await page.getByRole("navigation", { name: part, exact: true }).isVisible()).toBe(false);
    expect(await page.getByRole("button").evaluateAll((all) => all.filter((one) => one.checkVisibility()).length)).toBe(0);
    expect(await dates().isVisible()).toBe(true);
    const dark = await page.evaluate(() =>
      [...document.querySelectorAll("html, body, main, [aria-labelledby=dates], footer div")]
        .filter((element) => element.checkVisibility())
        .map((element) => getComputedStyle(element).backgroundColor)
        .filter((colour) => colour !== "rgba(0, 0, 0, 0)" && colour !== "rgb(255, 255, 255)"),
    );
    expect(dark).toEqual([]);
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    await page.emulateMedia({ media: "screen", colorScheme: "light" });
    // The details are closed on the screen and open in print.
    await page.evaluate(() => document.querySelectorAll("main details").forEach((details) => details.setAttribute("open", "")));
    expect(height).toBeLessThan(await page.evaluate(() => document.documentElement.scrollHeight));
  });
});

describe("the route planner, without scripts", () => {
  let visitor: Page;
  beforeAll(async () => {
    visitor = await site.open({ viewport: DESK, javaScriptEnabled: false });
    await office.from("course_dates").delete().in("course_name", ["Lvl 2 Door Supervisor", "Emergency First Aid Work Level 3"]);
    const { error } = await office.from("course_dates").insert([
      { course_name: "Emergency First Aid Work Level 3", course_date: "2031-03-05T09:00Z" },
      { course_name: "Lvl 2 Door Supervisor", course_date: "2031-03-03T09:00Z" },
      { course_name: "Lvl 2 Door Supervisor", course_date: "2031-03-10T09:00Z" },
    ]);
    if (error) throw error;
  });

  async function datesInRoute(): Promise<string[]> {
    const articles = await visitor.getByRole("article").all();
    return Promise.all(articles.map(async (article) => (await article.getAttribute("aria-label")) ?? ""));
  }

  test("the home page leads to a goal with its steps, dates that fit together and costs", async () => {
    await visitor.goto("/");
    await follow(visitor, visitor.getByRole("main").getByRole("link", { name: "Plan your route" }));
    await follow(visitor, visitor.getByRole("navigation", { name: "Goals" }).getByRole("link", { name: "Door supervisor", exact: true }));
    expect(new URL(visitor.url()).search).toBe("?goal=door-supervisor");
    const steps = await visitor.locator("ol > li[id^='step-'] > h2").allInnerTexts();
    expect(steps.map((step) => step.replaceAll("\u00A0", " "))).toEqual([
      "First aid: Emergency First Aid at Work Level 3",
      "Door Supervisor",
      "Your SIA licence",
      "Work at the door",
    ]);
    expect(await datesInRoute()).toEqual(["First aid, Wednesday 5 March 2031", "Door Supervisor, Monday 10 March 2031"]);
    expect(await lowestWaymark(320)).toBeLessThanOrEqual(0);
    const sum = (await visitor.getByRole("complementary", { name: "What it costs" }).innerText()).replaceAll(/\s+/g, " ");
    expect(await visitor.getByText(/^Source: SIA: first-aid .*last checked on \d+ \w+ 20\d\d$/).count()).toBe(1);
    expect(sum).toMatch(/With us £550 Licence, to the SIA fee on GOV.UK In all £550 \+ licence fee Days with us 9 days/);
  });

  /** The distance of the lowest waymark below the edge of the drawing on a screen of this width, in pixels. */
  async function lowestWaymark(width: number): Promise<number> {
    const size = visitor.viewportSize();
    await visitor.setViewportSize({ width, height: 640 });
    const steps = visitor.getByRole("navigation", { name: "Steps" });
    const bottoms = await steps.locator("circle").evaluateAll((circles) => circles.map((each) => each.getBoundingClientRect().bottom));
    const edge = await steps.evaluate((nav) => nav.parentElement?.getBoundingClientRect().bottom ?? 0);
    if (size) await visitor.setViewportSize(size);
    return Math.max(...bottoms) - edge;
  }

  test("a visitor with a certificate sees all dates and pays less, and the address contains this choice", async () => {
    await visitor.goto("/route?goal=door-supervisor");
    await follow(visitor, visitor.getByRole("link", { name: "I hold a valid certificate already" }));
    expect(new URL(visitor.url()).search).toBe("?goal=door-supervisor&first-aid=held");
    expect(await datesInRoute()).toEqual(["Door Supervisor, Monday 3 March 2031", "Door Supervisor, Monday 10 March 2031"]);
    expect(await visitor.getByRole("complementary", { name: "What it costs" }).innerText()).toContain("£400 + licence fee");
    await visitor.getByText("It must still be valid for at least 12 months on the first day of the course.").waitFor();
    expect(await visitor.getByText(/^Source: SIA: first-aid/).count()).toBe(1);
  });

  test("a course page shows the steps before and after the course near its top, with dates that fit together", async () => {
    await visitor.goto("/door-supervisor");
    const panel = visitor.getByRole("group", { name: "Before you book" });
    expect((await panel.innerText()).replaceAll(/\s+/g, " ")).toMatch(
      /Emergency First Aid at Work Level 3, 1 day, £150.*with us, and the licence fee.*5 Mar 2031.*10 Mar 2031/,
    );
    expect(await panel.getByRole("link", { name: "See the whole route" }).getAttribute("href")).toBe("/route?goal=door-supervisor");
    await visitor.goto("/manual-handling");
    expect(await panel.innerText()).toContain("No experience needed");
  });

  test("addresses that differ only in parameters that the page does not read share a cached page", async () => {
    const tags = await Promise.all(
      ["?goal=cctv", "?utm_source=x&goal=cctv", "?goal=nothing", ""].map(async (query) =>
        (await fetch(`${site.url()}/route${query}`)).headers.get("etag"),
      ),
    );
    expect(tags[0]).not.toBeNull();
    expect([tags[1], tags[3]]).toEqual([tags[0], tags[2]]);
  });
});
