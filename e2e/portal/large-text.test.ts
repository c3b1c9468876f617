import { beforeAll, describe, expect, test } from "vitest";
import { areas } from "../../site/app/portal/areas.ts";
import { addDate, openPortal, tomorrow, visit } from "../support/portal.ts";

/** Twice the default text sizes of a browser, in pixels. */
const TWICE = { standard: 32, fixed: 26 };

describe("text of twice the size", () => {
  const portal = openPortal();
  beforeAll(async () => {
    const page = portal();
    await addDate(page, `${tomorrow()}T09:00`, 9, { name: "Ada Fell", phone: "07700 900 123" });
    const browser = await page.context().newCDPSession(page);
    await browser.send("Page.setFontSizes", { fontSizes: TWICE });
    await page.goto("/admin/profile");
  });

  test.each(["/admin", ...areas.map(({ to }) => to), "/admin/bookings?new", "/admin/calendar?view=week"])(
    "fits the width of %s on a phone and a desktop screen",
    async (path) => {
      const page = portal();
      await page.setViewportSize({ width: 360, height: 800 });
      await visit(page, path);
      const loading = page.getByRole("main").getByText("Loading").filter({ visible: true });
      await expect.poll(() => loading.count(), { message: "lists that load" }).toBe(0);
      for (const width of [360, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        const overhang = () =>
          page.evaluate(() => {
            const { scrollWidth, clientWidth } = document.documentElement;
            const controls = [...document.querySelectorAll("main :is(a, button, input, select)")];
            return Math.max(scrollWidth, ...controls.map((control) => Math.floor(control.getBoundingClientRect().right))) - clientWidth;
          });
        await expect.poll(overhang, { message: `${width} px` }).toBe(0);
      }
    },
  );

  test("fits the navigation of a phone", async () => {
    const page = portal();
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe("34px");
    await page.setViewportSize({ width: 360, height: 800 });
    await visit(page, "/admin");
    const items = page.getByRole("navigation", { name: "Portal" }).locator("a:visible, button:visible");
    const overhangs = await items.evaluateAll((all) =>
      all.map((item) => {
        const text = document.createRange();
        text.selectNodeContents(item);
        const [inner, outer] = [text.getBoundingClientRect(), item.getBoundingClientRect()];
        return Math.max(0, outer.left - inner.left, outer.right - innerWidth);
      }),
    );
    expect(overhangs).toEqual([0, 0, 0, 0, 0]);
  });
});
