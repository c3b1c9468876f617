import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { DESK, follow, openPublicSite } from "../support/public-site.ts";

const KEYS = { PUBLISHABLE_KEY: "sb_publishable_route-0123456789abcdef", SECRET_KEY: "sb_secret_route-0123456789abcdef" };

const site = openPublicSite(KEYS);
let office: SupabaseClient;
let page: Page;

beforeAll(async () => {
  office = createClient(site.url(), KEYS.SECRET_KEY, { auth: { persistSession: false } });
  page = await site.open({ viewport: DESK, javaScriptEnabled: false });
  await office.from("course_dates").delete().in("course_name", ["Lvl 2 Door Supervisor", "Emergency First Aid Work Level 3"]);
  const { error } = await office.from("course_dates").insert([
    { course_name: "Emergency First Aid Work Level 3", course_date: "2031-03-05T09:00Z" },
    { course_name: "Lvl 2 Door Supervisor", course_date: "2031-03-03T09:00Z" },
    { course_name: "Lvl 2 Door Supervisor", course_date: "2031-03-10T09:00Z" },
  ]);
  if (error) throw error;
});

async function legs(): Promise<string[]> {
  const articles = await page.getByRole("article").all();
  return Promise.all(articles.map(async (article) => (await article.getAttribute("aria-label")) ?? ""));
}

test("the home page leads to a goal with its steps, dates that fit together and costs, without scripts", async () => {
  await page.goto("/");
  await follow(page, page.getByRole("main").getByRole("link", { name: "Plan your route" }));
  await follow(page, page.getByRole("navigation", { name: "Goals" }).getByRole("link", { name: "Door supervisor", exact: true }));
  expect(new URL(page.url()).search).toBe("?goal=door-supervisor");
  const steps = await page.locator("ol > li[id^='step-'] > h2").allInnerTexts();
  expect(steps.map((step) => step.replaceAll("\u00A0", " "))).toEqual([
    "First aid: Emergency First Aid at Work Level 3",
    "Door Supervisor",
    "Your SIA licence",
    "Work at the door",
  ]);
  expect(await legs()).toEqual(["First aid, Wednesday 5 March 2031", "Door Supervisor, Monday 10 March 2031"]);
  const sum = (await page.getByRole("complementary", { name: "What it costs" }).innerText()).replaceAll(/\s+/g, " ");
  expect(await page.getByText(/^Source: SIA: first-aid .*last checked on \d+ \w+ 20\d\d$/).count()).toBe(1);
  expect(sum).toMatch(/With us £550 Licence, to the SIA fee on GOV.UK In all £550 \+ licence fee Days with us 9 days/);
});

test("a visitor with a certificate sees all dates and pays less, and the address keeps that", async () => {
  await page.goto("/route?goal=door-supervisor");
  await follow(page, page.getByRole("link", { name: "I hold a valid certificate already" }));
  expect(new URL(page.url()).search).toBe("?goal=door-supervisor&first-aid=held");
  expect(await legs()).toEqual(["Door Supervisor, Monday 3 March 2031", "Door Supervisor, Monday 10 March 2031"]);
  expect(await page.getByRole("complementary", { name: "What it costs" }).innerText()).toContain("£400 + licence fee");
  await page.getByText("It must still be valid for at least 12 months on the first day of the course.").waitFor();
  expect(await page.getByText(/^Source: SIA: first-aid/).count()).toBe(1);
});

test("a course page says near its top what comes before and after, with dates in time", async () => {
  await page.goto("/door-supervisor");
  const panel = page.getByRole("group", { name: "Before you book" });
  expect((await panel.innerText()).replaceAll(/\s+/g, " ")).toMatch(
    /Emergency First Aid at Work Level 3, 1 day, £150.*with us, and the licence fee.*5 Mar 2031.*10 Mar 2031/,
  );
  expect(await panel.getByRole("link", { name: "See the whole route" }).getAttribute("href")).toBe("/route?goal=door-supervisor");
  await page.goto("/manual-handling");
  expect(await panel.innerText()).toContain("No experience needed");
});

test("goals share the page cache by what the page reads of the address", async () => {
  const tags = await Promise.all(
    ["?goal=cctv", "?utm_source=x&goal=cctv", "?goal=nothing", ""].map(async (query) =>
      (await fetch(`${site.url()}/route${query}`)).headers.get("etag"),
    ),
  );
  expect(tags[0]).not.toBeNull();
  expect([tags[1], tags[3]]).toEqual([tags[0], tags[2]]);
});
