import type { SupabaseClient } from "@supabase/supabase-js";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { renderLate } from "../support/late-rendering.ts";
import { addDate, clientOf, focused, openPortal, visit } from "../support/portal.ts";

describe("a page that React renders late", () => {
  const portal = openPortal();
  let staff: SupabaseClient;
  beforeAll(async () => {
    staff = await clientOf(portal());
    await addDate(staff, "2031-03-03T09:00", 60, ...Array.from({ length: 40 }, (_, index) => ({ name: `Ada Fell ${index}` })));
  });

  const follow = (page: Page, name: string): Promise<void> =>
    page.getByRole("navigation", { name: "Portal" }).getByRole("link", { name, exact: true }).click();
  const titled = (page: Page, name: string): Promise<void> => page.getByRole("heading", { level: 1, name }).waitFor();
  /** Finds the form of a new booking by the search. */
  const findForm = async (page: Page): Promise<void> => {
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog", { name: "Search" }).getByRole("searchbox").fill("new booking");
    await page.keyboard.press("Enter");
  };

  test("has the focus on its title as soon as it appears", async () => {
    const page = portal();
    await visit(page, "/admin/settings");
    await page.getByRole("button", { name: "Search", exact: true }).waitFor();
    await renderLate(page, async () => {
      await follow(page, "History");
      await titled(page, "History");
      expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
    });
  });

  test("is left by Back as soon as it appears, and the filter of the page before stays", async () => {
    const page = portal();
    await visit(page, "/admin/changes?kind=bookings");
    await page.getByRole("button", { name: "Search", exact: true }).waitFor();
    await renderLate(page, async () => {
      await findForm(page);
      await titled(page, "Bookings");
      await page.goBack();
      await titled(page, "History");
    });
    await page.getByText("40 changes shown").waitFor();
    expect(new URL(page.url()).search).toBe("?kind=bookings");
  });

  test("opens a form that is requested again before its address has changed", async () => {
    const page = portal();
    const form = page.getByRole("form", { name: "New booking" });
    await visit(page, "/admin/bookings");
    await page
      .getByRole("row", { name: /Ada Fell/ })
      .first()
      .waitFor();
    await renderLate(page, async () => {
      for (let times = 0; times < 2; times += 1) {
        await findForm(page);
        await focused(page, "name");
        await page.getByRole("button", { name: "Cancel", exact: true }).press("Enter");
        await form.waitFor({ state: "detached" });
      }
    });
  });

  test("shows the saved row as soon as it says that it is saved", async () => {
    const page = portal();
    await visit(page, "/admin/bookings");
    const edit = page.getByRole("button", { name: /^Edit Ada Fell 39/ });
    await edit.press("Enter");
    await page.getByLabel(/^Note/).fill("Vegetarian");
    await renderLate(page, async () => {
      await page.getByRole("button", { name: "Save booking" }).press("Enter");
      await page.getByText("Booking of Ada Fell 39 saved.").waitFor();
      expect(await isInView(edit)).toBe(true);
    });
  });
});

function isInView(element: Locator): Promise<boolean> {
  return element.evaluate((shown) => {
    const { top, bottom } = shown.getBoundingClientRect();
    return top > 0 && bottom < innerHeight;
  });
}
