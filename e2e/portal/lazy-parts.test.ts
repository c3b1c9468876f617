import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { addDate, continueUnsaved, focused, openPortal } from "../support/portal.ts";

const FAILED = "This part of the page could not be loaded. What you typed is kept.";

describe("a part of the portal that is loaded on demand", () => {
  const portal = openPortal();
  beforeAll(() => addDate(portal(), "2031-06-02T09:00", 9, { name: "Ada Fell" }));

  test("shows a message if it cannot be loaded, and works after a retry, by keyboard", async () => {
    const page = portal();
    await page.goto("/admin/courses");
    const restore = await refuseScript(page, "open-form");
    await page.getByRole("button", { name: "Add course date" }).press("Enter");
    await page.getByText(FAILED).waitFor();
    await expect.poll(() => focusedText(page)).toBe("Try Again");

    // Without a connection the page stays.
    await page.route("**/admin/courses", (route) => route.abort());
    await page.keyboard.press("Enter");
    await page.getByText(FAILED).waitFor();
    expect(await page.getByRole("row", { name: /2 Jun 2031/ }).count()).toBe(1);
    await page.unroute("**/admin/courses");

    await restore();
    await page.keyboard.press("Enter");
    await page.getByText(FAILED).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Add course date" }).press("Enter");
    await focused(page, "course_name");
  });

  test("does not change the input of an open form", async () => {
    const page = portal();
    await page.goto("/admin/bookings?new");
    await page.getByLabel("Name", { exact: true }).fill("Ben Moor");
    const restore = await refuseScript(page, "selected-bookings");
    await page.getByRole("checkbox", { name: /^Select Ada Fell/ }).check();
    await page.getByText(FAILED).waitFor();
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Ben Moor");
    await restore();
    await page.getByRole("button", { name: "Try Again" }).press("Enter");
    await continueUnsaved(page);
    await expect.poll(() => page.getByLabel("Name", { exact: true }).inputValue()).toBe("Ben Moor");
    await page.getByRole("checkbox", { name: /^Select Ada Fell/ }).check();
    await page.getByRole("button", { name: "Mark 1 paid, cash" }).waitFor();
  });

  test("shows a message if the form that an address opens needs it and it cannot be loaded", async () => {
    const page = portal();
    const restore = await refuseScript(page, "enquiry-booking");
    await page.goto(`/admin/bookings?enquiry=${crypto.randomUUID()}`);
    await page.getByText("This could not be opened.").waitFor();
    await page.getByRole("row", { name: /Ada Fell/ }).waitFor();
    await restore();
  });

  test("shows no message if it is loaded", async () => {
    const page = portal();
    await page.goto("/admin/calendar?view=list&day=2031-06-02");
    await page
      .getByRole("button", { name: /Lvl 2 CCTV/ })
      .first()
      .press("Enter");
    await page.getByRole("dialog", { name: /Lvl 2 CCTV/ }).waitFor();
    expect(await page.getByText(FAILED).count()).toBe(0);
  });
});

/** Refuses a script; returns a function that serves it again. */
async function refuseScript(page: Page, name: string): Promise<() => Promise<void>> {
  const url = `**/assets/${name}-*.js`;
  await page.route(url, (route) => route.abort());
  return () => page.unroute(url);
}

function focusedText(page: Page): Promise<string | null | undefined> {
  return page.evaluate(() => document.activeElement?.textContent);
}
