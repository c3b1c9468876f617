import { courses } from "content/courses/index.ts";
import { provider } from "content/provider.ts";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { carousel, DESK, follow, openPublicSite } from "../support/public-site.ts";

const site = openPublicSite();

describe("without scripts", () => {
  let page: Page;
  beforeAll(async () => {
    page = await site.open({ viewport: DESK, javaScriptEnabled: false });
  });

  test("home shows dates, courses, reviews, team and contact details", async () => {
    await page.goto("/");
    expect(await page.locator("#dates time[datetime]").count()).toBeGreaterThan(5);
    expect(await page.locator("#testimonials blockquote").count()).toBe(30);
    expect(await page.locator("#team article").count()).toBe(5);
    await page.getByRole("link", { name: "Contact" }).click();
    await page.locator("#contact").getByRole("link", { name: provider.phone }).waitFor();
  });

  test("every category opens with its button, and every course is linked", async () => {
    await page.goto("/");
    await follow(page, page.getByRole("button", { name: "Refresher Courses" }));
    await carousel(page, "Refresher Courses").getByRole("link", { name: "Learn more about Door Supervisor Refresher" }).waitFor();
    const links = await page.getByRole("navigation", { name: "Courses" }).getByRole("link").evaluateAll(hrefs);
    expect(links.toSorted()).toEqual(courses.map(({ link }) => link).toSorted());
  });

  test("no internal link is broken", async () => {
    const seen = new Set<string>();
    for (const path of ["/", "/door-supervisor", "/blog", "/privacy-policy", "/terms-conditions", "/enquiry"]) {
      await page.goto(path);
      for (const href of await page.locator("a[href^='/']").evaluateAll(hrefs)) seen.add(href.split("#")[0] ?? "");
    }
    const answers = await Promise.all([...seen].filter(Boolean).map(async (href) => [href, (await fetch(site.url() + href)).status]));
    expect(answers.filter(([, status]) => status !== 200)).toEqual([]);
    expect(answers.length).toBeGreaterThan(25);
  });

  test("an enquiry with a mistake is refused, corrected and sent", async () => {
    await page.goto("/");
    await page.getByLabel("Your name").fill("Alex");
    await page.getByLabel("E-mail or phone").fill("twelve");
    await page.getByLabel("Your question").fill("Is there parking?");
    await page.getByRole("button", { name: "Send your question" }).click();
    await page.getByRole("link", { name: "This is neither an e-mail address nor a phone number." }).click();
    expect(await page.evaluate(() => document.querySelector(":target")?.id)).toBe("enquiry-reply");
    await page.getByLabel("E-mail or phone").fill("01632 960001");
    await page.getByRole("button", { name: "Send your question" }).click();
    await page.getByText("Thank you, we have your question").waitFor();
  });
});

test("if the scripts fail to load, home shows no control that needs them, and days instead of a countdown", async () => {
  const page = await site.open({ viewport: DESK });
  await page.route("**/*.js", (route) => route.abort());
  await page.goto("/");
  const controls = page.getByRole("main").getByRole("button", { name: /^(Previous|Next|Pause|Play)/ });
  expect(await controls.count()).toBe(0);
  const timer = page.getByRole("timer").first();
  expect((await timer.innerText()).replace(/\s+/g, " ").trim()).toMatch(/^\d+ days?$/);
  await page.unroute("**/*.js");
  await page.reload();
  await page.keyboard.press("Shift");
  await expect.poll(() => controls.count()).toBeGreaterThan(4);
  await expect.poll(() => timer.innerText()).toMatch(/sec/);
  await page.context().close();
});

function hrefs(links: Element[]): string[] {
  return links.map((link) => link.getAttribute("href") ?? "");
}
