import { reviews } from "content/reviews.ts";
import type { Page } from "playwright-core";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { carousel, DESK, hydrated, openPublicSite, PHONE, spaced } from "../support/public-site.ts";

// Behaviour of the home page, by entry point, screen and time zone.

const POST = "/blog/what-to-pack-for-your-first-day-of-door-supervisor-training";

const site = openPublicSite();
let page: Page;

beforeAll(async () => {
  page = await site.open({ viewport: DESK });
});

describe("the header", () => {
  test("links to the sections on home, to courses and blog elsewhere, always to the portal, and marks the current page", async () => {
    await page.goto("/");
    expect(await navigation()).toEqual([
      "Home #top",
      "Courses #courses",
      "Testimonials #testimonials",
      "Contact #contact",
      "Portal /admin",
    ]);
    expect(await current()).toEqual(["Home"]);
    for (const [path, label] of [
      ["/blog", ["Blog"]],
      [POST, ["Blog"]],
      ["/courses", ["Courses"]],
      ["/nowhere", []],
    ] as const) {
      await page.goto(path);
      expect(await navigation(), path).toEqual(["Home /", "Courses /courses", "Blog /blog", "Contact #contact", "Portal /admin"]);
      expect(await current(), path).toEqual(label);
    }
  });

  test("scrolls to the sections of the home page so that their headings stay visible below it, and back to the top", async () => {
    await page.goto("/");
    for (const label of ["Courses", "Testimonials"]) {
      await page.getByRole("banner").getByRole("link", { name: label }).click();
      await expect.poll(() => page.locator(`#${label.toLowerCase()} h2`).isVisible()).toBe(true);
      await expect.poll(async () => (await page.locator(`#${label.toLowerCase()}`).boundingBox())?.y ?? -1).toBeGreaterThanOrEqual(60);
      await expect.poll(async () => (await page.locator(`#${label.toLowerCase()}`).boundingBox())?.y ?? 999).toBeLessThan(200);
    }
    await page.evaluate("window.sameDocument = true");
    await page.getByRole("banner").getByRole("link", { name: "Home", exact: true }).click();
    await expect.poll(() => page.evaluate("window.sameDocument && scrollY")).toBe(0);
  });

  test.each([PHONE, DESK])(
    "does not cover the section of home that a URL points to, even before the page is laid out ($width px)",
    async (viewport) => {
      await page.setViewportSize(viewport);
      const parts = ["courses", "testimonials", "about", "team", "enquiry"];
      for (const part of parts) {
        // Each address differs from the last one in more than the part after #, so that the page is loaded.
        await page.goto(`/?category=medical&part=${part}#${part}`);
        await isBelowHeader(part);
      }
      // From the last section upwards, so that the sections above the next one are not laid out yet.
      await page.goto("/");
      for (const part of parts.toReversed()) {
        await page.evaluate((id) => location.assign(`#${id}`), part);
        await isBelowHeader(part);
      }
      await page.setViewportSize(DESK);
    },
  );

  test("shows the Portal link as a button on the line of the other links", async () => {
    await page.setViewportSize(DESK);
    await page.goto("/blog");
    const link = (name: string) => page.getByRole("banner").getByRole("link", { name, exact: true });
    expect(await link("Portal").evaluate((element) => getComputedStyle(element).borderTopWidth)).toBe("2px");
    const lineOf = (name: string): Promise<number> =>
      link(name).evaluate((element) => {
        const text = document.createRange();
        text.selectNodeContents(element);
        return text.getBoundingClientRect().bottom;
      });
    for (const name of ["Home", "Blog", "Contact"]) expect(await lineOf(name), name).toBe(await lineOf("Portal"));
  });

  async function isBelowHeader(part: string): Promise<void> {
    await expect.poll(() => topOf(part)).toBeGreaterThanOrEqual(60);
    await expect.poll(() => topOf(part)).toBeLessThan(120);
  }

  async function topOf(part: string): Promise<number> {
    return (await page.locator(`#${part}`).boundingBox())?.y ?? Number.NaN;
  }

  function current(): Promise<string[]> {
    return page.getByRole("banner").locator("[aria-current]").allInnerTexts();
  }

  async function navigation(): Promise<string[]> {
    const links = page.getByRole("navigation", { name: "Main" }).getByRole("link");
    return links.evaluateAll((all) => all.map((link) => `${link.textContent.trim()} ${link.getAttribute("href")}`));
  }
});

describe("the category of courses", () => {
  test("is chosen by buttons on a wide screen, and in a labelled list on a small one", async () => {
    await page.goto("/");
    const list = page.getByLabel("Select course category");
    const button = page.getByRole("button", { name: "Medical Training" });
    expect([await button.isVisible(), await list.isVisible()]).toEqual([true, false]);
    await page.setViewportSize(PHONE);
    expect([await button.isVisible(), await list.isVisible()]).toEqual([false, true]);
    expect(await list.locator("option").allInnerTexts()).toEqual([
      "Security Training",
      "Medical Training",
      "Refresher Courses",
      "Health & Safety",
      "Coming Soon",
    ]);
    await expect
      .poll(async () => {
        await list.selectOption("Health & Safety");
        return page.url();
      })
      .toContain("category=health-safety");
    await page.reload();
    expect(await list.inputValue()).toBe("health-safety");
    await page.getByRole("group", { name: "Health & Safety", exact: true }).waitFor();
    await page.setViewportSize(DESK);
  });
});

describe("before its script has arrived, home", () => {
  let visitor: Page;
  let arrive: () => void;
  beforeEach(async () => {
    const held = Promise.withResolvers<void>();
    arrive = held.resolve;
    visitor = await site.open({ viewport: PHONE });
    await visitor.route("**/*.js", async (route) => {
      await held.promise;
      await route.continue();
    });
    await visitor.goto("/", { waitUntil: "commit" });
    await visitor.locator("#island-data").waitFor({ state: "attached" });
  });
  afterEach(() => visitor.context().close());

  test("takes the choice of a category, with a button and without it", async () => {
    await visitor.getByLabel("Select course category").selectOption("Medical Training");
    await visitor.getByRole("button", { name: "Show", exact: true }).waitFor();
    arrive();
    await hydrated(visitor);
    await carousel(visitor, "Medical Training").waitFor();
    expect(visitor.url()).toContain("category=medical");
    expect(await visitor.getByLabel("Select course category").inputValue()).toBe("medical");
    await visitor.getByRole("button", { name: "Show", exact: true }).waitFor({ state: "hidden" });
  });

  test("may be translated and filled in, and keeps its content, the typed text and the focus", async () => {
    await visitor.getByLabel("Your name").fill("Ada");
    await visitor.getByText(/^Show \d+ later dates$/).click();
    await visitor.getByLabel("Your question").fill("Is there parking?");
    // Replaces each text like Google Translate.
    await visitor.evaluate(() => {
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const nodes: Text[] = [];
      while (texts.nextNode()) if (texts.currentNode instanceof Text) nodes.push(texts.currentNode);
      for (const text of nodes) {
        if (text.data.trim() === "" || text.parentElement?.closest("script, style, template, select")) continue;
        const translated = document.createElement("font");
        translated.textContent = text.data;
        text.replaceWith(translated);
      }
    });
    const counts = (): Promise<number[]> => Promise.all(["#dates li", "#testimonials figure", "#team article", "use"].map(count));
    const before = await counts();
    arrive();
    await hydrated(visitor);
    expect(await counts()).toEqual(before);
    expect(await visitor.getByLabel("Your name").inputValue()).toBe("Ada");
    expect(await visitor.evaluate(() => document.activeElement?.id)).toBe("enquiry-message");
    expect(await visitor.locator("#dates details").getAttribute("open")).not.toBeNull();
    await carousel(visitor, "Reviews").getByRole("button", { name: "Next" }).click();
    await carousel(visitor, "Reviews").getByText("2 of 30", { exact: true }).waitFor();
  });

  function count(selector: string): Promise<number> {
    return visitor.locator(selector).count();
  }
});

test("every carousel is laid out after load, so that its text can be searched, printed and saved", async () => {
  await page.goto("/");
  for (const name of ["Security Training", "Reviews", "Team"]) {
    await expect.poll(() => carousel(page, name).evaluate((row) => getComputedStyle(row).contentVisibility)).toBe("visible");
  }
});

describe("a review", () => {
  test("is cut at 150 characters and expands on demand", async () => {
    await page.goto("/");
    const long = reviews.filter(({ text }) => text.length > 150);
    const cut = page.locator("#testimonials summary");
    expect(await cut.count()).toBe(long.length);
    for (const [index, { text }] of long.entries()) {
      const shown = ((await cut.nth(index).locator("span").first().textContent()) ?? "").replace(/…$/, "");
      expect(shown.length).toBeLessThan(150);
      expect(text.startsWith(shown)).toBe(true);
    }
    await cut.first().click();
    await page.getByText(long[0]?.text ?? "", { exact: true }).waitFor();
  });
});

describe("a countdown", () => {
  test("is on the board and in the catalogue for the nearest date only; later ones state the days", async () => {
    await page.goto("/");
    const rows = page.locator("#dates li");
    expect(await rows.getByRole("timer").count()).toBe(1);
    expect(await rows.first().getByRole("timer").count()).toBe(1);
    expect(await page.locator("#courses").getByRole("timer").count()).toBeLessThanOrEqual(1);
    expect(spaced(await rows.nth(1).innerText())).toMatch(/in \d+ days/);
  });

  test.each(["Pacific/Auckland", "America/Los_Angeles"])("is right for a visitor in %s, before and after hydration", async (timezoneId) => {
    const visitor = await site.open({ timezoneId });
    const errors: string[] = [];
    visitor.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    visitor.on("pageerror", (error) => errors.push(error.message));
    await visitor.goto("/");
    const row = visitor.locator("#dates li").first();
    const start = Date.parse((await row.locator("time").getAttribute("datetime")) ?? "");
    const left = async (): Promise<number> => {
      const [days = 0, hours = 0, minutes = 0, seconds = 0] = ((await row.getByRole("timer").innerText()).match(/\d+/g) ?? []).map(Number);
      return ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
    };
    await hydrated(visitor);
    const before = await left();
    await expect.poll(left).toBeLessThan(before);
    expect(Math.abs((start - Date.now()) / 1000 - (await left()))).toBeLessThan(60);
    const london = new Intl.DateTimeFormat("en-GB", { timeZone: "Europe/London", hour: "2-digit", minute: "2-digit" }).format(start);
    expect(await row.locator("time").innerText()).toContain(london);
    expect(errors).toEqual([]);
    await visitor.context().close();
  });

  test("shows that the course starts soon once its start time is reached", async () => {
    const visitor = await site.open();
    await visitor.clock.install();
    await visitor.goto("/");
    const row = visitor.locator("#dates li").first();
    const start = Date.parse((await row.locator("time").getAttribute("datetime")) ?? "");
    await hydrated(visitor);
    await visitor.clock.pauseAt(start + 1000);
    await row.getByText("Course Starting Soon!").waitFor();
    await visitor.context().close();
  });
});
