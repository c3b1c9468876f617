import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { DESK, openPublicSite } from "../support/public-site.ts";

// Movement of the carousels on the home page: automatic, by arrow, drag, swipe and touch, with a fake clock.

const CAROUSELS = ["Security Training", "Reviews", "Team"];
// A movement has ended after this many frames without a change.
const STILL_FRAMES = 25;

const site = openPublicSite();
let desk: Page;
beforeAll(async () => {
  desk = await openClocked({ viewport: DESK });
});

test.each([
  ["advances by itself: taglines, courses, reviews and team", "no-preference", true],
  ["does not begin for a visitor with reduced motion", "reduce", false],
] as const)("the movement of the home page %s", async (_what, reducedMotion, moves) => {
  const page = await openClocked({ viewport: DESK, reducedMotion });
  await openHome(page);
  const before = await places(page);
  await page.clock.runFor(5100);
  if (moves) await expect.poll(async () => (await places(page)).filter((place, index) => place !== before[index]).length).toBe(4);
  else {
    await page.clock.runFor(20_000);
    expect(await places(page)).toEqual(before);
  }
  await page.context().close();
});

describe("the size of the screen", () => {
  let page: Page;
  beforeAll(async () => {
    page = await site.open();
    await page.goto("/");
  });
  afterAll(() => page.context().close());

  test.each([
    [600, "Security Training", 1.2],
    [639, "Reviews", 1.2],
    [640, "Reviews", 2],
    [1023, "Security Training", 2],
    [1024, "Security Training", 3],
    [767, "Team", 1],
    [768, "Team", 2],
  ])("of %i px lets the carousel “%s” show %d", async (width, name, shown) => {
    await page.setViewportSize({ width, height: 800 });
    const seen = (): Promise<number> =>
      row(page, name).evaluate((scroller) => {
        const [first, second] = [...scroller.children].map((slide) => slide.getBoundingClientRect());
        return first && second ? scroller.clientWidth / (second.left - first.left) : 0;
      });
    await expect.poll(async () => Math.abs((await seen()) - shown)).toBeLessThan(0.25);
  });
});

describe("a carousel that was moved continues automatically", () => {
  test.each([
    ["Reviews", 3000 + 4000],
    ["Security Training", 3000 + 5000],
  ])("“%s” %i ms after an arrow", async (name, resumesAfter) => {
    const page = await openHome(desk);
    const start = await position(page, name);
    await page.getByRole("group", { name, exact: true }).getByRole("button", { name: "Next" }).dispatchEvent("click");
    const moved = await settled(page, name);
    expect(moved - start).toBeGreaterThanOrEqual(350);
    await advancesAfter(page, name, resumesAfter);
  });

  test.each([
    ["Reviews", 2000 + 4000],
    ["Team", 2000 + 4000],
  ])("“%s” %i ms after the end of a drag", async (name, resumesAfter) => {
    const page = await openHome(desk);
    await drag(page, row(page, name), { by: -260, forMs: 600 });
    // Meanwhile the carousel snaps back to a card.
    await page.clock.runFor(1000);
    await advancesAfter(page, name, resumesAfter - 1000);
  });

  test("“Security Training” about 1 s after a touch", async () => {
    const page = await openClocked({ viewport: { width: 400, height: 800 }, hasTouch: true });
    await openHome(page);
    const scroller = row(page, "Security Training");
    const before = await settled(page, "Security Training");
    await scroller.dispatchEvent("touchstart", { touches: [], changedTouches: [] });
    await page.clock.runFor(9000);
    expect(await settled(page, "Security Training")).toBe(before);
    await scroller.dispatchEvent("touchend", { touches: [], changedTouches: [] });
    await advancesAfter(page, "Security Training", 1000 + 5000);
    await page.context().close();
  });
});

describe("a swipe", () => {
  let page: Page;
  let isOpen = false;
  beforeEach(async () => {
    if (!isOpen) page = await openHome(desk);
    isOpen = true;
    await row(page, "Reviews").evaluate((scroller) => scroller.scrollTo({ left: 0, behavior: "instant" }));
  });

  test.each([
    ["beyond 50 px in under 300 ms shows the next card", { by: -60, forMs: 250 }, true],
    ["of 50 px does not", { by: -50, forMs: 250 }, false],
    ["that takes 300 ms does not", { by: -60, forMs: 300 }, false],
  ])("%s", async (_what, movement, turns) => {
    await drag(page, row(page, "Reviews"), movement);
    expect((await settled(page, "Reviews")) >= 350).toBe(turns);
  });

  test("ends with a whole card at the edge, even before the browser snaps", async () => {
    const scroller = row(page, "Reviews");
    await drag(page, scroller, { by: -160, forMs: 250 });
    const second = await scroller.evaluate(({ children: [, slide] }) => (slide instanceof HTMLElement ? slide.offsetLeft : 0));
    expect(await settled(page, "Reviews")).toBe(second);
  });

  test("does not begin after a press that leaves the row and ends outside of it", async () => {
    const scroller = row(page, "Reviews");
    await scroller.scrollIntoViewIfNeeded();
    const { x, y, width, height } = (await scroller.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const middle = x + width / 2;
    await page.mouse.move(middle, y + height - 10);
    await page.mouse.down();
    await page.mouse.move(middle, y + height + 40, { steps: 3 });
    await page.mouse.up();
    await page.mouse.move(middle, y + height - 10, { steps: 3 });
    await page.mouse.move(middle - 200, y + height - 10, { steps: 3 });
    expect(await settled(page, "Reviews")).toBe(0);
    await page.mouse.move(1, 1);
  });

  test("selects no text, unlike a double click", async () => {
    const words = row(page, "Reviews").locator("blockquote").first();
    const marked = (): Promise<string> => page.evaluate(() => String(getSelection()));
    await drag(page, words, { by: 160, forMs: 600 });
    expect(await marked()).toBe("");
    await words.dblclick({ position: { x: 20, y: 10 } });
    expect(await marked()).toMatch(/\w/);
  });
});

/** Opens a page with a paused clock for a visitor without a preference for reduced motion. */
async function openClocked(options: BrowserContextOptions): Promise<Page> {
  const page = await site.open({ reducedMotion: "no-preference", ...options });
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  return page;
}

/** Opens the home page and waits until its island is hydrated. */
async function openHome(page: Page): Promise<Page> {
  await page.goto("/");
  const timer = page.getByRole("timer").first();
  const before = await timer.innerText();
  await page.keyboard.press("Shift");
  const second = async (): Promise<string> => {
    await page.clock.runFor(1000);
    return timer.innerText();
  };
  await expect.poll(second).not.toBe(before);
  return page;
}

function row(page: Page, name: string): Locator {
  return page.getByRole("group", { name: `${name}, slides` });
}

function position(page: Page, name: string): Promise<number> {
  return row(page, name).evaluate((scroller) => Math.round(scroller.scrollLeft));
}

/** Returns the final position of a carousel: smooth scrolling uses the real clock and the frames the browser draws. */
function settled(page: Page, name: string): Promise<number> {
  return row(page, name).evaluate(async (scroller, stillFrames) => {
    let place = scroller.scrollLeft;
    for (let still = 0; still < stillFrames; still += 1) {
      // Waits for a real frame; the global function is replaced by the fake clock.
      await new Promise<void>((resolve) => {
        const observer = new IntersectionObserver(() => {
          observer.disconnect();
          resolve();
        });
        observer.observe(scroller);
      });
      if (scroller.scrollLeft !== place) still = 0;
      place = scroller.scrollLeft;
    }
    return Math.round(place);
  }, STILL_FRAMES);
}

/** Expects that the carousel does not move until shortly before a time and has moved shortly after it. */
async function advancesAfter(page: Page, name: string, ms: number): Promise<void> {
  const before = await settled(page, name);
  await page.clock.runFor(ms - 100);
  expect(await settled(page, name)).toBe(before);
  await page.clock.runFor(200);
  await expect.poll(() => position(page, name)).not.toBe(before);
}

async function drag(page: Page, scroller: Locator, { by, forMs }: { by: number; forMs: number }): Promise<void> {
  await scroller.scrollIntoViewIfNeeded();
  const box = await scroller.boundingBox();
  if (!box) throw new Error("The carousel is not shown.");
  const [x, y] = [box.x + box.width / 2, box.y + 20];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + by / 2, y);
  await page.clock.runFor(forMs);
  await page.mouse.move(x + by, y);
  await page.mouse.up();
  await page.mouse.move(1, 1);
}

/** The state of the moving parts: the scroll position of each carousel, and the tagline shown. */
async function places(page: Page): Promise<string[]> {
  const scrolled = CAROUSELS.map(async (name) => String(await position(page, name)));
  return [...(await Promise.all(scrolled)), await page.locator("[data-shown=true]").innerText()];
}
