import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { createTestPostgres } from "backend/test/database.ts";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser } from "./browser.ts";
import { STAFF, startProcess, temporaryDirectory } from "./product.ts";

const STAFF_ENV = { STAFF_EMAIL: STAFF.email, STAFF_PASSWORD: STAFF.password };
const RINGING_MS = 30_000;
const axe = await readFile(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

interface Started {
  url: string;
  stop(): Promise<void>;
}

const deployments: Record<string, (dataDir: string) => Promise<Started>> = {
  "on the embedded database": async (dataDir) => {
    const site = await startProcess("site/server.ts", { DATA_DIR: dataDir, ...STAFF_ENV });
    return { url: site.url, stop: async () => void (await site.stop()) };
  },
  "on a PostgreSQL server": async (dataDir) => {
    const database = await createTestPostgres({ platform: false });
    const site = await startProcess("site/server.ts", { DATA_DIR: dataDir, DATABASE_URL: database.url, ...STAFF_ENV });
    return { url: site.url, stop: () => site.stop().then(database.remove) };
  },
};

describe.each(Object.entries(deployments))("bookings, %s", (_name, start) => {
  let browser: Browser;
  let page: Page;
  const cleanup = new AsyncDisposableStack();
  const complaints: string[] = [];

  beforeAll(async () => {
    const dataDir = cleanup.use(await temporaryDirectory());
    browser = cleanup.adopt(await launchBrowser(), (opened) => opened.close());
    const site = cleanup.adopt(await start(dataDir.path), (started) => started.stop());
    // axe is written into the page, which the site's own policy would refuse.
    page = await (await browser.newContext({ baseURL: site.url, bypassCSP: true, acceptDownloads: true })).newPage();
    page.setDefaultTimeout(10_000);
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.goto("/admin");
    await page.getByLabel("E-mail").fill(STAFF.email);
    await page.getByLabel("Password").fill(STAFF.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Admin Dashboard" }).waitFor();
    await addDate(page, "2031-03-03T09:00", "2");
    await addDate(page, "2031-03-10T09:00", "6");
  });
  afterAll(() => cleanup.disposeAsync());

  test("a caller is booked by keyboard alone, in well under thirty seconds", async () => {
    const began = Date.now();
    await page.goto("/admin/bookings?new");
    await focused(page, "name");
    await page.keyboard.type("Ada Fell");
    await page.keyboard.press("Tab");
    await focused(page, "course_id");
    // As in every list of choices, typing goes to what begins so.
    await page.keyboard.type("Lvl 2 CCTV, Mon 3 Mar");
    await page.getByText("2 of 2 places left").waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.type("07700 900 123");
    await page.keyboard.press("Enter");
    await page.getByText("Booking added for Ada Fell.").waitFor();
    expect(Date.now() - began).toBeLessThan(RINGING_MS);
    await page.getByRole("row", { name: /Ada Fell/ }).waitFor();
  });

  test("who booked before is found by phone number, and the last place goes", async () => {
    await page.getByRole("button", { name: "New Booking" }).click();
    await page.getByLabel("Name", { exact: true }).fill("07700900");
    await page.getByRole("list", { name: "People who booked before" }).getByText("Ada Fell").waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await focused(page, "course_id");
    expect(await page.getByLabel("Phone").inputValue()).toBe("07700 900 123");
    await page.getByLabel("Name", { exact: true }).fill("Ben Fell");
    await choose(page, "Date", /CCTV, Mon 3 Mar 2031.*1 left/);
    await page.getByRole("button", { name: "Add Booking" }).click();
    await page.getByText("Booking added for Ben Fell.").waitFor();
    await page.getByRole("button", { name: "New Booking" }).click();
    expect(await option(page, "Date", /CCTV, Mon 3 Mar 2031/).getAttribute("disabled")).not.toBeNull();
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
  });

  test("what two people change at once is told to the second, and neither is lost", async () => {
    const other = await page.context().newPage();
    await other.goto("/admin/bookings");
    for (const tab of [page, other]) await tab.getByRole("button", { name: /^Edit Ada Fell/ }).click();
    await other.getByLabel("Note").fill("Vegetarian");
    await other.getByRole("button", { name: "Save Booking" }).click();
    await other.getByText("Booking of Ada Fell saved.").waitFor();
    await page.bringToFront();
    await page.getByLabel("Company").fill("Moor & Sons");
    await page.getByRole("button", { name: "Save Booking" }).click();
    await page.getByText("Somebody else changed this booking while you were editing it. Note: empty → Vegetarian.").waitFor();
    expect(await page.getByLabel("Company").inputValue()).toBe("Moor & Sons");
    await page.getByRole("button", { name: "Save Booking" }).click();
    await page.getByText("Booking of Ada Fell saved.").waitFor();
    await page.getByRole("row", { name: /Ada Fell.*Moor & Sons.*Vegetarian/s }).waitFor();
    await other.close();
  });

  test("an edit that was cut off comes back with what was typed", async () => {
    await page.getByRole("button", { name: /^Edit Ada Fell/ }).click();
    await page.getByLabel("E-mail").fill("ada@mail.example");
    await page.reload();
    await page.getByText("What you typed before is back.").waitFor();
    expect(await page.getByLabel("E-mail").inputValue()).toBe("ada@mail.example");
    await page.getByRole("button", { name: "Save Booking" }).click();
    await page.getByText("Booking of Ada Fell saved.").waitFor();
  });

  test("the list is searched without another load, and the file holds what is listed", async () => {
    let loads = 0;
    const count = (): number => (loads += 1);
    page.on("request", count);
    await page.getByLabel("Search").fill("moor cctv");
    await page.getByText("1 of 2 booking(s), 1 active place(s)").waitFor();
    expect(await page.getByRole("row", { name: /Ben Fell/ }).count()).toBe(0);
    expect(loads).toBe(0);
    page.off("request", count);
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export CSV" }).click();
    const path = await (await download).path();
    const file = await readFile(path, "utf8");
    expect(file.startsWith("\uFEFFBooking,")).toBe(true);
    expect(file.trim().split("\r\n")).toHaveLength(2);
    await page.getByLabel("Search").fill("");
  });

  test("the delete guard counts the bookings and leads to moving them all", async () => {
    await page.goto("/admin/courses");
    await deleteDate(page);
    await page
      .getByText("Cannot delete this course as it has 2 active booking(s). Please delete or reassign the bookings first.")
      .waitFor();
    await page.getByRole("link", { name: "Show its bookings, to move or delete them" }).click();
    await page.getByText("Full: all 2 places are taken").waitFor();
    await page.getByText("Move all to…").click();
    await choose(page, "Another date", /CCTV, Mon 10 Mar 2031.*6 left/);
    await page.getByRole("button", { name: "Move All Bookings" }).click();
    await page.getByText("2 booking(s) moved.").waitFor();
    await page.getByText("2 of 2 places left").waitFor();

    await page.goto("/admin/courses");
    await deleteDate(page);
    await page.getByText("Course deleted successfully!").waitFor();
  });

  test("a booking is cancelled, its place is free, and it can be deleted", async () => {
    await page.goto("/admin/bookings");
    await page.getByRole("button", { name: /^Cancel Ben Fell/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel", exact: true }).click();
    await page.getByText("Booking cancelled.").waitFor();
    await page.getByRole("row", { name: /Ben Fell.*Cancelled/s }).waitFor();
    await page.getByRole("button", { name: /^Delete Ben Fell/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("Booking deleted.").waitFor();
    await page.getByText("1 booking(s), 1 active place(s)").waitFor();
  });

  test("the register lists who comes", async () => {
    await page.getByLabel("Bookings of").selectOption(await value(page, "Bookings of", /Mon 10 Mar 2031/));
    await page.getByText("5 of 6 places left").waitFor();
    await page.getByRole("link", { name: "Printable register" }).click();
    await page.getByRole("rowheader", { name: "Ada Fell" }).waitFor();
    await page.emulateMedia({ media: "print" });
    expect(await page.getByRole("button", { name: "Print" }).isVisible()).toBe(false);
    expect(await page.getByRole("heading", { name: /CCTV/ }).isVisible()).toBe(true);
    await page.emulateMedia({ media: null });
    expect(await violations(page)).toEqual([]);
  });

  test("a date is changed, and what two people change at once is told to the second", async () => {
    const other = await page.context().newPage();
    for (const tab of [page, other]) {
      await tab.goto("/admin/courses");
      await tab.getByRole("button", { name: /^Edit Lvl 2 CCTV, Monday 10 March 2031/ }).click();
    }
    await other.getByLabel("Status").selectOption("Confirmed");
    await other.getByRole("button", { name: "Save Course" }).click();
    await other.getByText("Course saved successfully!").waitFor();
    await page.bringToFront();
    await page.getByLabel("Last Day").fill("2031-03-12");
    await page.getByLabel("Capacity").fill("0");
    await page.getByLabel("Capacity").fill("5");
    await page.getByRole("button", { name: "Save Course" }).click();
    await page.getByText("Somebody else changed this course while you were editing it. Status: Open → Confirmed.").waitFor();
    await page.getByRole("button", { name: "Save Course" }).click();
    await page.getByText("Course saved successfully!").waitFor();
    await page.getByRole("row", { name: /10 Mar 2031.*to 12 March 2031.*Confirmed/s }).waitFor();
    await other.close();
  });

  test("a date is copied, and repeated week by week and on chosen days", async () => {
    await page.getByRole("button", { name: /^Copy Lvl 2 CCTV, Monday 10 March 2031/ }).click();
    expect(await page.getByLabel("Capacity").inputValue()).toBe("5");
    await page.getByLabel("Start Date").fill("2031-04-14T13:00");
    await page.getByLabel("Last Day").fill("");
    await page.getByRole("form").getByRole("button", { name: "Add Course" }).click();
    await page.getByText("Course added successfully!").waitFor();

    await page.getByRole("button", { name: /^Repeat Lvl 2 CCTV, Monday 10 March 2031/ }).click();
    await page.getByLabel("How many more").fill("3");
    await page.getByRole("button", { name: "Add Dates" }).click();
    await page.getByText("3 course(s) added successfully!").waitFor();
    // The clocks go forward on 30 March.
    await page.getByRole("row", { name: /31 Mar 2031\s+09:00, to 2 April 2031/ }).waitFor();

    await page.getByRole("button", { name: /^Repeat Lvl 2 CCTV, Monday 14 April 2031/ }).click();
    await page.getByLabel("When").selectOption("On chosen days");
    await page.getByLabel("Day 1", { exact: true }).fill("2031-05-06");
    await page.getByRole("button", { name: "Another Day" }).click();
    await page.getByLabel("Day 2 (optional)", { exact: true }).fill("2031-05-08");
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Add Dates" }).click();
    await page.getByText("2 course(s) added successfully!").waitFor();
    for (const day of ["6 May 2031", "8 May 2031"]) await page.getByRole("row", { name: new RegExp(day) }).waitFor();
  });

  test("a post is changed at its address, and what two people change at once is told to the second", async () => {
    await page.goto("/admin/blog");
    await page.getByRole("button", { name: "New Post" }).click();
    await page.getByLabel("Title").fill("Winter dates");
    await page.getByLabel("Author").fill("Jo");
    await page.getByLabel("Content").fill("Wrap up.\n\nBring a coat.");
    await page.getByRole("button", { name: "Publish" }).click();
    await page.getByText("Blog post added successfully!").waitFor();

    const other = await page.context().newPage();
    await other.goto("/admin/blog");
    for (const tab of [page, other]) await tab.getByRole("button", { name: "Edit Winter dates" }).click();
    await other.getByLabel("Author").fill("Jo Airey");
    await other.getByRole("button", { name: "Save Post" }).click();
    await other.getByText("Blog post saved successfully!").waitFor();
    await page.bringToFront();
    await page.getByText("The address stays /blog/winter-dates").waitFor();
    await page.getByLabel("Title").fill("Spring dates");
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Save Post" }).click();
    await page.getByText("Somebody else changed this blog post while you were editing it. Author: Jo → Jo Airey.").waitFor();
    await page.getByRole("button", { name: "Save Post" }).click();
    await page.getByText("Blog post saved successfully!").waitFor();
    await other.goto("/blog/winter-dates");
    await other.getByRole("heading", { level: 1, name: "Spring dates" }).waitFor();
    await other.getByText("Jo Airey").first().waitFor();
    await other.close();
  });

  test.each([
    [360, "dark"],
    [768, "light"],
    [1280, "light"],
  ] as const)("the dates are clean at %i px in the %s scheme", async (width, colorScheme) => {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    await page.goto("/admin/courses");
    await page.getByRole("button", { name: /^Edit Lvl 2 CCTV, Monday 10 March 2031/ }).click();
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
  });

  test.each([
    [360, "light"],
    [768, "dark"],
    [1280, "light"],
    [1280, "dark"],
  ] as const)("the screen is clean at %i px in the %s scheme", async (width, colorScheme) => {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    await page.goto("/admin/bookings?new");
    await page.getByRole("row", { name: /Ada Fell/ }).waitFor();
    // The size before left a draft with the same name in it.
    await page.getByLabel("Name", { exact: true }).fill("");
    await page.getByLabel("Name", { exact: true }).fill("ada");
    await page.getByRole("list", { name: "People who booked before" }).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
  });

  test("no page failed in the browser", () => {
    expect(complaints).toEqual([]);
  });
});

async function addDate(page: Page, start: string, capacity: string): Promise<void> {
  await page.goto("/admin/courses");
  await page.getByRole("button", { name: "Add Course" }).click();
  await page.getByLabel("Course Type").selectOption("Lvl 2 CCTV");
  await page.getByLabel("Start Date").fill(start);
  await page.getByLabel("Capacity").fill(capacity);
  await page.getByRole("form").getByRole("button", { name: "Add Course" }).click();
  await page.getByText("Course added successfully!").waitFor();
}

async function deleteDate(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Delete Lvl 2 CCTV, Monday 3 March 2031/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
}

function option(page: Page, label: string, text: RegExp) {
  return page.getByLabel(label, { exact: true }).locator("option").filter({ hasText: text });
}

async function value(page: Page, label: string, text: RegExp): Promise<string> {
  return (await option(page, label, text).getAttribute("value")) ?? "";
}

async function choose(page: Page, label: string, text: RegExp): Promise<void> {
  await page.getByLabel(label, { exact: true }).selectOption(await value(page, label, text));
}

/** Waits until the field of this name has the focus. */
async function focused(page: Page, name: string): Promise<void> {
  await page.waitForFunction((wanted) => document.activeElement?.getAttribute("name") === wanted, name);
}

/** What axe finds wrong on the page, by rule and element. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate<string[]>(
    "axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`)))",
  );
}
