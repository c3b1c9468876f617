import { createClient } from "@supabase/supabase-js";
import type { ElementHandle, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { STAFF, STAFF_ENV } from "../support/product.ts";
import { DESK, hydrated, openPublicSite, PHONE } from "../support/public-site.ts";

// The statistics ignore headless browsers, so the test uses the user agent of a person.
const PERSON = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
const PUBLISHABLE_KEY = "sb_publishable_visitor-0123456789abcdef";

const site = openPublicSite({ PUBLISHABLE_KEY, ...STAFF_ENV });

describe("the statistics", () => {
  test("show their notice without covering links of the first view, on screens of any size", async () => {
    const page = await site.open({ userAgent: PERSON, viewport: PHONE });
    await page.goto("/");
    const notice = await noticeOf(page);
    for (const width of [320, 360, 390, 412, 480, 568, 667, 768, 844, 1024, 1280, 1440, 1920]) {
      for (const height of [320, 375, 390, 430, 568, 640, 667, 760, 844, 915, 1024, 1180]) {
        if (width < 480 && height < 480) continue;
        await page.setViewportSize({ width, height });
        const covered = await notice.evaluate((aside) => {
          const over = aside.getBoundingClientRect();
          return [...document.querySelectorAll("[aria-label='Welcome'] :is(a, button), #dates a")]
            .filter((action) => action.closest("#dates") === null || action.textContent.startsWith("Ask"))
            .filter((action) => {
              const { top, bottom, left, right } = action.getBoundingClientRect();
              return left < over.right && right > over.left && top < over.bottom && bottom > over.top;
            })
            .map((action) => action.textContent);
        });
        expect(covered, `${width} by ${height}`).toEqual([]);
      }
    }
    await page.context().close();
  });

  test("show their notice below the day, month, price and button of the next date, on the first screen of a phone", async () => {
    const page = await site.open({ userAgent: PERSON, viewport: { width: 360, height: 740 } });
    await page.goto("/");
    const notice = page.getByRole("complementary", { name: "Statistics" });
    await notice.waitFor();
    const top = (await notice.boundingBox())?.y ?? 0;
    const row = page.locator("#dates li").first();
    for (const part of [row.locator("time"), row.locator("strong")]) {
      const { y, height } = (await part.boundingBox()) ?? { y: Infinity, height: 0 };
      expect(y + height).toBeLessThanOrEqual(top);
    }
    await page.context().close();
  });

  test.each([
    { width: 1280, height: 900 },
    { width: 1366, height: 768 },
    { width: 1440, height: 900 },
    { width: 1839, height: 1000 },
  ])("show their notice beside the text of the home page and above the dates, on a screen of %o", async (viewport) => {
    const page = await site.open({ userAgent: PERSON, viewport });
    await page.goto("/");
    const notice = await noticeOf(page);
    await page.evaluate(() => document.fonts.ready);
    const covered = await notice.evaluate((aside) => {
      const over = aside.getBoundingClientRect();
      // Uses the lines of a text, because its element is wider.
      const lines = document.createRange();
      return [...document.querySelectorAll("header, [aria-label='Welcome'] :is(h1, p), #dates")]
        .filter((part) => {
          lines.selectNodeContents(part);
          return [...lines.getClientRects()].some(
            ({ top, bottom, left, right }) => left < over.right && right > over.left && top < over.bottom && bottom > over.top,
          );
        })
        .map(({ tagName, id }) => `${tagName} ${id}`);
    });
    expect(covered).toEqual([]);
    await page.context().close();
  });

  test.each([
    ["/", { width: 360, height: 740 }],
    ["/enquiry", { width: 360, height: 740 }],
    ["/", { width: 640, height: 450 }],
  ])("show a notice that is reached first by keyboard and hides no focused element: %s, %o", async (path, viewport) => {
    const page = await site.open({ userAgent: PERSON, viewport });
    await page.goto(path);
    const notice = await noticeOf(page);
    const stops: string[] = [];
    const hidden: string[] = [];
    for (;;) {
      await page.keyboard.press("Tab");
      const stop = await notice.evaluate((aside) => {
        const focused = document.activeElement;
        if (!focused || focused === document.body) return null;
        const [over, under] = [aside.getBoundingClientRect(), focused.getBoundingClientRect()];
        const covered =
          !aside.contains(focused) &&
          under.top >= over.top &&
          under.bottom <= over.bottom &&
          under.left >= over.left &&
          under.right <= over.right;
        return { name: `${focused.tagName} ${focused.id || focused.textContent.trim()}`, covered };
      });
      if (!stop) break;
      stops.push(stop.name);
      if (stop.covered) hidden.push(stop.name);
    }
    expect(hidden).toEqual([]);
    expect(stops.slice(0, 3)).toEqual(["A Skip to content", "A Read more or object", "BUTTON OK"]);
    expect(stops.length).toBeGreaterThan(20);
    await page.context().close();
  });

  test("are announced in one line, once, and the opt-out works at once", async () => {
    const page = await site.open({ userAgent: PERSON, viewport: DESK });
    const calls = countCalls(page);
    await page.goto("/");
    await page.getByRole("complementary", { name: "Statistics" }).getByRole("button", { name: "OK" }).click();
    await expect.poll(async () => (await page.context().cookies()).some(({ name }) => name === "visit_session")).toBe(true);
    await page.getByRole("button", { name: "Do not count my visits" }).click();
    await page.getByText("Your visits are not counted.", { exact: true }).waitFor();
    await expect.poll(async () => (await page.context().cookies()).map(({ name }) => name)).toEqual(["visit_opt_out"]);
    await expect.poll(optOutsCounted).toBe(1);
    calls.length = 0;
    await page.goto("/blog");
    await page.getByRole("button", { name: "Count my visits again" }).waitFor();
    expect(await page.getByRole("complementary", { name: "Statistics" }).count()).toBe(0);
    expect(calls).toEqual([]);
    await page.getByRole("button", { name: "Count my visits again" }).click();
    await page.getByRole("button", { name: "Do not count my visits" }).waitFor();
    await expect.poll(() => calls.length).toBe(1);
    await page.context().close();
  });

  test("show their notice, and the page works, if the browser denies storage", async () => {
    const page = await site.open({ userAgent: PERSON, viewport: DESK });
    const refuse = "get() { throw new DOMException('refused', 'SecurityError') }";
    await page.addInitScript(`Object.defineProperty(window, 'localStorage', { ${refuse} })`);
    const calls = countCalls(page);
    await page.goto("/");
    await hydrated(page);
    await page.getByRole("complementary", { name: "Statistics" }).waitFor();
    await expect.poll(() => calls.length).toBe(1);
    await page.context().close();
  });

  test("respect Global Privacy Control", async () => {
    const page = await site.open({ userAgent: PERSON, viewport: DESK });
    await page.addInitScript("Object.defineProperty(navigator, 'globalPrivacyControl', { value: true })");
    const calls = countCalls(page);
    await page.goto("/blog");
    await page.getByText("Global Privacy Control is on").waitFor();
    await page.waitForLoadState("networkidle");
    expect(calls).toEqual([]);
    await page.context().close();
  });
});

/** The notice, as an element: its role would be computed again at each use of a locator. */
function noticeOf(page: Page): Promise<ElementHandle<SVGElement | HTMLElement>> {
  return page.getByRole("complementary", { name: "Statistics" }).elementHandle();
}

function countCalls(page: Page): string[] {
  const calls: string[] = [];
  page.on("request", (request) => request.url().includes("/functions/v1/") && calls.push(request.url()));
  return calls;
}

async function optOutsCounted(): Promise<number> {
  const staff = createClient(site.url(), PUBLISHABLE_KEY, { auth: { persistSession: false } });
  await staff.auth.signInWithPassword(STAFF);
  const { data } = await staff.functions.invoke("get-website-stats?include=details", { method: "GET" });
  return data.details.opt_outs;
}
