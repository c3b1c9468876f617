import { createClient } from "@supabase/supabase-js";
import { courses } from "content/courses/index.ts";
import { provider } from "content/provider.ts";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser } from "./browser.ts";
import { STAFF, STAFF_ENV, startProcess, type RunningProcess } from "./product.ts";
import { startedDirectory } from "./started-directory.ts";

// Visitors with a keyboard only, without scripts, without movement, and without wanting to be counted.

const PHONE = { width: 360, height: 760 };
const DESK = { width: 1280, height: 900 };
// The statistics do not count the browser of a test by its own name.
const PERSON = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
const PUBLISHABLE_KEY = "sb_publishable_visitor-0123456789abcdef";

const cleanup = new AsyncDisposableStack();
let browser: Browser;
let site: RunningProcess;

beforeAll(async () => {
  const dataDir = cleanup.use(await startedDirectory());
  browser = cleanup.adopt(await launchBrowser(), (opened) => opened.close());
  site = cleanup.use(await startProcess("site/server.ts", { DATA_DIR: dataDir.path, PUBLISHABLE_KEY, ...STAFF_ENV }));
});
afterAll(() => cleanup.disposeAsync());

describe("with the keyboard only", () => {
  let page: Page;
  beforeAll(async () => {
    page = await open({ viewport: DESK });
  });

  test("the first key leads past the navigation to the content", async () => {
    await page.goto("/");
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("Skip to content");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.closest("main") !== null)).toBe(true);
  });

  test("the menu of a small screen opens, is walked through, and gives the focus back", async () => {
    await page.setViewportSize(PHONE);
    await page.goto("/blog");
    await tabTo(page, "Menu");
    await page.keyboard.press("Enter");
    for (const label of ["Home", "Blog", "Contact", "Portal"]) {
      await page.keyboard.press("Tab");
      expect(await focused(page)).toBe(label);
    }
    await page.keyboard.press("Escape");
    await page.getByRole("navigation", { name: "Main" }).waitFor({ state: "hidden" });
    expect(await focused(page)).toBe("Menu");
    await page.setViewportSize(DESK);
  });

  test("a category is chosen, and survives reload and back through the address", async () => {
    await page.goto("/");
    await tabTo(page, "Medical Training");
    await page.keyboard.press("Enter");
    await carousel(page, "Medical Training").waitFor();
    expect(page.url()).toContain("category=medical");
    await page.reload();
    await carousel(page, "Medical Training").waitFor();
    await tabTo(page, "Coming Soon");
    await page.keyboard.press("Enter");
    await carousel(page, "Coming Soon").waitFor();
    await page.goBack();
    await carousel(page, "Medical Training").waitFor();
  });

  test("a carousel is scrolled by arrow keys and by its buttons, and pauses", async () => {
    await page.goto("/");
    await hydrated(page);
    const reviews = carousel(page, "Reviews");
    await reviews.getByRole("group", { name: "Reviews, slides" }).focus();
    await page.keyboard.press("ArrowRight");
    await reviews.getByText("2 of 30", { exact: true }).waitFor();
    // On the way the focus goes through the reviews, and the row follows it to the end.
    await tabTo(page, "Previous");
    const place = (): Promise<number> =>
      reviews
        .getByText(/^\d+ of 30$/)
        .innerText()
        .then((text) => Number.parseInt(text, 10));
    await expect.poll(place, { timeout: 5000 }).toBe(28);
    await page.keyboard.press("Enter");
    await expect.poll(place, { timeout: 5000 }).toBe(27);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("Pause");
    await page.keyboard.press("Space");
    expect(await focused(page)).toBe("Play");
  });

  test("a link that scrolls to a section does not hide its heading under the bar", async () => {
    await page.goto("/");
    await tabTo(page, "Courses");
    await page.keyboard.press("Enter");
    const bar = (await page.getByRole("banner").boundingBox()) ?? { y: 0, height: 0 };
    await expect.poll(async () => (await page.locator("#courses").boundingBox())?.y ?? -1).toBeLessThan(DESK.height / 2);
    await expect.poll(async () => (await page.locator("#courses-heading").boundingBox())?.y ?? -1).toBeGreaterThan(bar.y + bar.height);
  });

  test("the contact dialog opens, holds the focus, closes and gives it back", async () => {
    await page.goto("/");
    await tabTo(page, "Contact");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Contact us" });
    await dialog.waitFor();
    for (const text of [provider.phone, provider.email, provider.address.street]) await dialog.getByText(text).waitFor();
    expect(await page.evaluate(() => document.activeElement?.closest("dialog") !== null)).toBe(true);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    expect(await focused(page)).toBe("Contact");
  });

  test("an enquiry with a mistake comes back with what was typed and the mistake named, and is then sent", async () => {
    await page.goto("/enquiry");
    await tabTo(page, "Your name");
    await page.keyboard.type("Sam Reed");
    await page.keyboard.press("Tab");
    await page.keyboard.type("nobody");
    await page.keyboard.press("Tab");
    await page.keyboard.type("CCTV");
    await page.keyboard.press("Tab");
    await page.keyboard.type("When is the next one?");
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("Send your question");
    await page.keyboard.press("Enter");
    const reply = page.getByLabel("E-mail or phone");
    await page.locator("[aria-invalid]").waitFor();
    expect(await reply.inputValue()).toBe("nobody");
    expect(await page.getByRole("combobox", { name: "Course" }).inputValue()).toBe("cctv");
    const described = (await reply.getAttribute("aria-describedby"))?.split(" ").at(-1);
    expect(await page.locator(`#${described}`).innerText()).toBe("This is neither an e-mail address nor a phone number.");

    await tabTo(page, "E-mail or phone");
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("sam@reed.example");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Thank you, we have your question" }).waitFor();
    await page.getByText(provider.openingHours.text).first().waitFor();
  });
});

describe("without scripts", () => {
  let page: Page;
  beforeAll(async () => {
    page = await open({ viewport: DESK, javaScriptEnabled: false });
  });

  test("home shows dates, courses, reviews, team and the ways to reach the office", async () => {
    await page.goto("/");
    expect(await page.locator("#dates time[datetime]").count()).toBeGreaterThan(5);
    expect(await page.locator("#testimonials blockquote").count()).toBe(30);
    expect(await page.locator("#team article").count()).toBe(5);
    await page.getByRole("link", { name: "Contact" }).click();
    await page.locator("#contact").getByRole("link", { name: provider.phone }).waitFor();
  });

  test("every category opens by its button, and every course is linked", async () => {
    await page.goto("/");
    await page.getByRole("button", { name: "Refresher Courses" }).click();
    await carousel(page, "Refresher Courses").getByRole("link", { name: "Learn more about Door Supervisor Refresher" }).waitFor();
    const links = await page.getByRole("navigation", { name: "Courses" }).getByRole("link").evaluateAll(hrefs);
    expect(links.toSorted()).toEqual(courses.map(({ link }) => link).toSorted());
  });

  test("no link within the site is broken", async () => {
    const seen = new Set<string>();
    for (const path of ["/", "/door-supervisor", "/blog", "/privacy-policy", "/terms-conditions", "/enquiry"]) {
      await page.goto(path);
      for (const href of await page.locator("a[href^='/']").evaluateAll(hrefs)) seen.add(href.split("#")[0] ?? "");
    }
    const answers = await Promise.all([...seen].filter(Boolean).map(async (href) => [href, (await fetch(site.url + href)).status]));
    expect(answers.filter(([, status]) => status !== 200)).toEqual([]);
    expect(answers.length).toBeGreaterThan(25);
  });

  test("the enquiry form of home is refused, mended and sent", async () => {
    await page.goto("/");
    await page.getByLabel("Your name").fill("Alex");
    await page.getByLabel("E-mail or phone").fill("twelve");
    await page.getByLabel("Your question").fill("Is there parking?");
    await page.getByRole("button", { name: "Send your question" }).click();
    await page.getByText("This is neither an e-mail address nor a phone number.").waitFor();
    await page.getByLabel("E-mail or phone").fill("01632 960001");
    await page.getByRole("button", { name: "Send your question" }).click();
    await page.getByText("Thank you, we have your question").waitFor();
  });
});

describe("the statistics", () => {
  test("are told of beside the ways on and every Book button of the first view, on screens of any size", async () => {
    const page = await open({ viewport: PHONE });
    await page.goto("/");
    const notice = page.getByRole("complementary", { name: "Statistics" });
    await notice.waitFor();
    for (const width of [320, 360, 390, 412, 480, 568, 667, 768, 844, 1024, 1280, 1440, 1920]) {
      for (const height of [320, 375, 390, 430, 568, 640, 667, 760, 844, 915, 1024, 1180]) {
        if (width < 480 && height < 480) continue;
        await page.setViewportSize({ width, height });
        const covered = await notice.evaluate((aside) => {
          const over = aside.getBoundingClientRect();
          return [...document.querySelectorAll("[aria-label='Welcome'] :is(a, button), #dates a")]
            .filter((action) => action.closest("#dates") === null || action.textContent.startsWith("Book"))
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

  test("are told of in one line, once, and the objection works at once", async () => {
    const page = await open({ viewport: DESK });
    const calls = countCalls(page);
    await page.goto("/");
    await page.getByRole("complementary", { name: "Statistics" }).getByRole("button", { name: "All right" }).click();
    await expect
      .poll(async () => (await page.context().cookies()).some(({ name }) => name === "visit_session"), { timeout: 5000 })
      .toBe(true);
    await page.getByRole("button", { name: "Do not count my visits" }).click();
    await page.getByText("Your visits are not counted.", { exact: true }).waitFor();
    expect((await page.context().cookies()).map(({ name }) => name)).toEqual(["visit_objection"]);
    expect(await objectionsCounted()).toBe(1);
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

  test("respect Global Privacy Control", async () => {
    const page = await open({ viewport: DESK });
    await page.addInitScript("Object.defineProperty(navigator, 'globalPrivacyControl', { value: true })");
    const calls = countCalls(page);
    await page.goto("/blog");
    await page.getByText("Global Privacy Control is on").waitFor();
    await page.waitForLoadState("networkidle");
    expect(calls).toEqual([]);
    await page.context().close();
  });
});

async function open(options: BrowserContextOptions): Promise<Page> {
  const page = await (await browser.newContext({ baseURL: site.url, userAgent: PERSON, ...options })).newPage();
  page.setDefaultTimeout(10_000);
  return page;
}

function carousel(page: Page, name: string) {
  return page.getByRole("group", { name, exact: true });
}

/** Waits until the page's living part is alive: the first countdown has ticked. */
async function hydrated(page: Page): Promise<void> {
  const timer = page.getByRole("timer").first();
  const before = await timer.innerText();
  await page.keyboard.press("Shift");
  await expect.poll(() => timer.innerText(), { timeout: 10_000 }).not.toBe(before);
}

/** Presses Tab until what has the focus is called this; the accessible name is the label, or the visible text. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 120; presses += 1) {
    await page.keyboard.press("Tab");
    if ((await focused(page)) === name) return;
  }
  throw new Error(`Tab never came to “${name}”.`);
}

function focused(page: Page): Promise<string | undefined> {
  return page.evaluate(() => {
    const element = document.activeElement;
    const label = element?.id ? document.querySelector(`label[for="${element.id}"]`) : null;
    return (label ?? element)?.textContent.replaceAll(/[←→]/g, "").trim();
  });
}

function countCalls(page: Page): string[] {
  const calls: string[] = [];
  page.on("request", (request) => request.url().includes("/functions/v1/") && calls.push(request.url()));
  return calls;
}

function hrefs(links: Element[]): string[] {
  return links.map((link) => link.getAttribute("href") ?? "");
}

async function objectionsCounted(): Promise<number> {
  const staff = createClient(site.url, PUBLISHABLE_KEY, { auth: { persistSession: false } });
  await staff.auth.signInWithPassword(STAFF);
  const { data } = await staff.functions.invoke("get-website-stats?include=details", { method: "GET" });
  return data.details.objections;
}
