import { createClient } from "@supabase/supabase-js";
import { courses } from "content/courses/index.ts";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { DESK, follow, openPublicSite, PHONE, spaced } from "../support/public-site.ts";

// Finding and comparing courses and dates, in a browser without scripts.

const KEYS = { PUBLISHABLE_KEY: "sb_publishable_finding-0123456789abcdef", SECRET_KEY: "sb_secret_finding-0123456789abcdef" };
const CCTV = "Lvl 2 CCTV";

const site = openPublicSite(KEYS);
let page: Page;

beforeAll(async () => {
  page = await site.open({ viewport: DESK, javaScriptEnabled: false });
  const office = createClient(site.url(), KEYS.SECRET_KEY, { auth: { persistSession: false } });
  await office.from("course_dates").delete().gte("course_date", "2000-01-01T00:00Z");
  const dates = [
    { course_name: CCTV, course_date: "2031-03-03T09:00Z", capacity: 7 },
    { course_name: "Manual Handling", course_date: "2031-03-08T09:00Z", capacity: 5 },
    { course_name: CCTV, course_date: "2031-08-04T08:00Z", capacity: 7, status: "cancelled" },
    // A Friday, so that its three days include no weekend.
    { course_name: "First Aid at Work Level 3", course_date: "2031-05-02T08:00Z", capacity: 5 },
    ...Array.from({ length: 21 }, (_, day) => ({
      course_name: "Emergency First Aid",
      course_date: `2031-10-${String(day + 1).padStart(2, "0")}T08:00Z`,
      capacity: 12,
    })),
  ];
  const { error } = await office.from("course_dates").insert(dates, { defaultToNull: false });
  if (error) throw error;
});

describe("the list of courses", () => {
  const titles = (): Promise<string[]> => page.getByRole("article").getByRole("heading").allInnerTexts();

  test("shows every course with its price, length, prerequisite and next date", async () => {
    await page.goto("/courses");
    expect((await titles()).map(spaced)).toEqual(courses.map(({ title }) => title));
    const cctv = spaced(await page.getByRole("article").filter({ hasText: "CCTV Operator" }).innerText());
    for (const fact of ["£350", "5 days", "Be 18 or over", "Mon 3 Mar to Fri 7 Mar 2031", "weekdays, 09:00 to 17:00", "7 places left"])
      expect(cctv).toContain(fact);
    expect(await page.getByRole("article").filter({ hasText: "Ask for a date" }).count()).toBe(courses.length - 4);
  });

  test("is filtered by subject, month and days of the week through links, which can be combined", async () => {
    await page.goto("/courses");
    const months = page.getByRole("navigation", { name: "Starts in", exact: true }).getByRole("link");
    expect(await months.allInnerTexts()).toEqual(["Any month", "March", "May", "October"]);
    await choose("Starts in", "March");
    expect(await titles()).toEqual(["CCTV Operator", "Manual Handling"]);
    await choose("Runs on", "Weekends");
    expect(await titles()).toEqual(["Manual Handling"]);
    expect(new URL(page.url()).search).toBe("?month=march&days=weekends");
    await choose("Subject", "Security Training");
    await page.getByText("No course has a date that fits.").waitFor();
    await follow(page, page.getByRole("main").getByRole("link", { name: "Show all courses" }));
    expect(page.url()).toMatch(/\/courses$/);
    expect(await titles()).toHaveLength(courses.length);
  });

  test("has one canonical address, and parameters that it does not know do not change the cached page", async () => {
    const [plain, tracked, march] = await Promise.all(
      ["/courses", "/courses?utm_source=news&month=yesterday", "/courses?month=march&x=1"].map(async (path) => {
        const response = await fetch(site.url() + path);
        return { tag: response.headers.get("etag"), canonical: /rel="canonical" href="([^"]+)"/.exec(await response.text())?.[1] };
      }),
    );
    expect(tracked).toEqual(plain);
    expect(march?.tag).not.toBe(plain?.tag);
    expect(march?.canonical).toBe(`${site.url()}/courses`);
  });
});

describe("the comparison", () => {
  test("shows up to three chosen courses side by side", async () => {
    await page.goto("/courses");
    for (const title of ["CCTV Operator", "Manual Handling"]) await page.getByLabel(`Compare ${title}`, { exact: true }).check();
    await follow(page, page.getByRole("button", { name: "Compare the chosen courses" }));
    const table = page.getByRole("table");
    expect(await table.getByRole("columnheader").allInnerTexts()).toEqual(["CCTV Operator", "Manual Handling"]);
    const price = table.getByRole("row", { name: /^Price/ });
    expect(await price.getByRole("cell").allInnerTexts()).toEqual(["£350", "£50"]);
  });

  test("says that it shows the first three of more, and how to choose if none is", async () => {
    await page.goto(`/courses/compare?${courses.map(({ id }) => `course=${id}`).join("&")}&course=yoga`);
    expect(await page.getByRole("columnheader").count()).toBe(3);
    await page.getByText("These are the first three of the courses you chose.").waitFor();
    await page.goto("/courses/compare");
    await follow(page, page.getByRole("link", { name: "Which first-aid course?" }));
    expect(await page.getByRole("columnheader").count()).toBe(3);
    await page.goto("/courses/compare");
    await follow(page, page.getByRole("link", { name: "Choose courses" }));
    expect(new URL(page.url()).pathname).toBe("/courses");
  });
});

describe("dates", () => {
  const rows = () => page.getByRole("main").locator("ol > li");
  const canonical = () => page.locator("link[rel=canonical]").getAttribute("href");

  test("are on the board with their last day, hours and days of the week", async () => {
    await page.goto("/");
    const [first = "", second = ""] = (await page.locator("#dates li").allInnerTexts()).map(spaced);
    expect(first).toContain("until Fri 7 Mar, 09:00 to 17:00, weekdays");
    expect(second).toContain("09:00 to 13:00, weekend");
    await follow(page, page.locator("#dates").getByRole("link", { name: "What you need first, and what it costs" }));
    expect(new URL(page.url()).pathname).toBe("/route");
    await page.goto("/");
    await follow(page, page.getByRole("link", { name: "All dates, by month" }));
    expect(new URL(page.url()).pathname).toBe("/dates");
  });

  test("are listed in pages of twenty, by month and days of the week", async () => {
    await page.goto("/dates");
    expect(await rows().count()).toBe(20);
    await follow(page, page.getByRole("link", { name: "Later" }));
    expect(await rows().count()).toBe(4);
    expect([await canonical(), await page.title()]).toEqual([`${site.url()}/dates?page=2`, expect.stringMatching(/^Page 2: All dates/)]);
    await choose("Month", "March");
    expect(await rows().count()).toBe(2);
    expect(await canonical()).toBe(`${site.url()}/dates`);
    await choose("Days", "Weekends");
    expect(await rows().count()).toBe(1);
    await page.goto("/dates?month=may&days=weekends");
    await page.getByText("No date fits.").waitFor();
  });

  test("of a course are in pages of twenty, of which three dates are visible at first", async () => {
    await page.goto("/first-aid");
    const dates = page.getByRole("region", { name: "Next dates" });
    expect(await dates.getByRole("article").filter({ visible: true }).count()).toBe(3);
    await dates.getByText("Show 17 later dates").click();
    expect(await dates.getByRole("article").filter({ visible: true }).count()).toBe(20);
    expect(spaced(await dates.getByRole("article").first().innerText())).toContain("09:00 to 17:00, weekday. 12 places left.");
    await follow(page, dates.getByRole("link", { name: "Later" }));
    expect(await dates.getByRole("article").count()).toBe(1);
  });
});

describe("the first screen of a phone", () => {
  test.each([
    ["/", "#dates li:first-child", ["£350", "7 places left"], "Ask for this place"],
    ["/cctv", "main", ["CCTV Operator", "£350", "Mon 3 Mar 2031", "7 places left"], "See dates and book"],
  ])("shows a date with price, places and one action on %s", async (path, part, facts, action) => {
    const phone = await site.open({ viewport: { ...PHONE, height: 740 }, javaScriptEnabled: false });
    await phone.goto(path);
    for (const fact of facts)
      expect(await bottomOf(phone.locator(part).getByText(fact.replace(" places", "\u00a0places")).first()), fact).toBeLessThan(740);
    expect(await bottomOf(phone.locator(part).getByRole("link", { name: action }).first())).toBeLessThan(740);
    await phone.context().close();
  });

  test("leads from home to the route planner", async () => {
    const phone = await site.open({ viewport: { ...PHONE, height: 740 }, javaScriptEnabled: false });
    await phone.goto("/");
    const link = phone.getByRole("main").getByRole("link", { name: "Plan your route" });
    expect(await bottomOf(link)).toBeLessThan(740);
    await link.click();
    await phone.getByRole("heading", { level: 1, name: "Plan your route" }).waitFor();
    await phone.context().close();
  });
});

test("a course page says how to get the licence, pay, come here and whom to ask, and ends with the next step", async () => {
  await page.goto("/cctv");
  for (const title of ["How the licence works", "Paying, and groups", "Reviews of this course", "Getting here", "Questions and answers"])
    expect(await page.getByRole("region", { name: title }).isVisible(), title).toBe(true);
  await page.getByText("Getting here").click();
  expect(await page.getByRole("link", { name: "Show on a map" }).getAttribute("href")).toContain("openstreetmap.org");
  expect(await page.getByRole("main").getByRole("heading", { level: 2 }).last().innerText()).toBe("Ready to book?");
  await page.goto("/close-protection");
  await page.getByRole("region", { name: "Pay with learning credits" }).waitFor();
  await page.goto("/manual-handling");
  expect(await page.getByRole("region", { name: "How the licence works" }).count()).toBe(0);
});

async function bottomOf(locator: ReturnType<Page["locator"]>): Promise<number> {
  const box = await locator.boundingBox();
  return box ? box.y + box.height : Infinity;
}

async function choose(filter: string, choice: string): Promise<void> {
  await follow(page, page.getByRole("navigation", { name: filter, exact: true }).getByRole("link", { name: choice, exact: true }));
}
