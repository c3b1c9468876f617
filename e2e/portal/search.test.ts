import { describe, expect, test } from "vitest";
import { violations } from "../support/axe.ts";
import { addDate, focused, openPortal, testScreen, visit } from "../support/portal.ts";

describe("the search", () => {
  const portal = openPortal();

  test("opens with a key, finds while typing in one request, and opens a result by the arrow keys and Enter", async () => {
    const page = portal();
    await addDate(page, "2031-03-03T09:00", 9, { name: "Ada O'Fell" });
    const requests: string[] = [];
    page.on("request", (request) => request.url().includes("search_portal") && requests.push(request.url()));
    await page.clock.install();
    await visit(page, "/admin/blog");
    await page.getByRole("button", { name: "Search", exact: true }).waitFor();
    await page.keyboard.press("Control+k");
    const dialog = page.getByRole("dialog", { name: "Search" });
    await dialog.getByRole("searchbox", { name: "Search" }).waitFor();
    // A busy machine could take longer between two keys than the pause after which a search starts.
    await page.clock.pauseAt(Date.now() + 60_000);
    for (const key of "ofell") {
      await page.keyboard.press(key);
      await page.clock.runFor(10);
    }
    await page.clock.resume();
    await dialog
      .getByRole("region", { name: "People" })
      .getByRole("link", { name: /Ada O'Fell/ })
      .waitFor();
    expect(requests).toEqual([expect.stringContaining("search_portal")]);
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/admin/bookings?date=**");
    await page.getByRole("row", { name: /Ada O'Fell/ }).waitFor();
    expect(await dialog.isVisible()).toBe(false);
  });

  test("Enter opens the first result, Escape closes, and a slash in a field is a slash", async () => {
    const page = portal();
    await visit(page, "/admin/bookings");
    await page.getByLabel("Search").press("/");
    expect(await page.getByLabel("Search").inputValue()).toBe("/");
    await page.getByRole("heading", { name: "Bookings" }).click();
    await page.keyboard.press("/");
    const dialog = page.getByRole("dialog", { name: "Search" });
    await dialog.waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.keyboard.press("/");
    await dialog.waitFor();
    await page.keyboard.type("3 mar 2031");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/admin/bookings?date=**");
  });

  test("opens the form of a new booking on the page of bookings too, every time, and a reload does not open it again", async () => {
    const page = portal();
    const form = page.getByRole("form", { name: "New booking" });
    await visit(page, "/admin/bookings?when=all");
    await page.getByRole("row", { name: /Ada O'Fell/ }).waitFor();
    for (let times = 0; times < 2; times += 1) {
      await page.keyboard.press("Control+k");
      await page.getByRole("dialog", { name: "Search" }).getByRole("searchbox").fill("new booking");
      await page.keyboard.press("Enter");
      await form.waitFor();
      await focused(page, "name");
      await page.getByRole("button", { name: "Cancel", exact: true }).click();
      await form.waitFor({ state: "detached" });
      expect(new URL(page.url()).search).toBe("");
    }
    await page.reload();
    await page.getByRole("row", { name: /Ada O'Fell/ }).waitFor();
    expect(await form.count()).toBe(0);
  });

  testScreen("the search", portal, async (page) => {
    await visit(page, "/admin");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await page.keyboard.type("cctv");
    await page.getByRole("dialog").getByText("Course dates").waitFor();
  });
});
