import { readFile } from "node:fs/promises";
import type { SupabaseClient } from "@supabase/supabase-js";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { violations } from "../support/axe.ts";
import {
  addDate,
  choose,
  clientOf,
  continueUnsaved,
  deleteRow,
  focused,
  openPortal,
  option,
  testScreen,
  visit,
} from "../support/portal.ts";
import { holdBack } from "../support/refuse-requests.ts";
import { newQuietWindow } from "../support/windows.ts";

describe("the waiting list", () => {
  const portal = openPortal();
  let staff: SupabaseClient;

  beforeAll(async () => {
    const page = portal();
    staff = await clientOf(page);
    await addDate(staff, "2031-03-03T09:00", 1, { name: "Full House" });
    await addDate(staff, "2031-03-10T09:00", 6);
    await showDate(page);
  });

  test("a caller is added to the list of a full date by keyboard", async () => {
    const page = portal();
    await page.getByText("Waiting list (nobody)").waitFor();
    await page.getByRole("button", { name: "Add to waiting list" }).focus();
    await page.keyboard.press("Enter");
    await focused(page, "name");
    await page.keyboard.type("Ada Fell");
    await page.keyboard.press("Enter");
    await page.getByText("Enter a phone number or an e-mail address").waitFor();
    await focused(page, "phone");
    await page.keyboard.type("07700 900 123");
    await page.keyboard.press("Enter");
    await page.getByText("Ada Fell is on the waiting list.").waitFor();
    await page.getByText("Waiting list (1 waiting)").waitFor();
  });

  test("nobody is added twice", async () => {
    const page = portal();
    await add(page, "A. Fell", "+44 7700 900123");
    await page.getByText("Somebody with this e-mail address or phone number is already on the list of this date.").waitFor();
    await page.getByLabel("Name", { exact: true }).fill("Ben Moor");
    await page.getByLabel("Phone").fill("07700 900 456");
    await page.getByLabel("Places", { exact: true }).fill("2");
    await page.getByRole("form").getByRole("button", { name: "Add to waiting list" }).click();
    await page.getByText("Ben Moor is on the waiting list.").waitFor();
    await add(page, "Cy Beck", "07700 900 789");
    await page.getByText("Cy Beck is on the waiting list.").waitFor();
    await waitForOrder(page, ["Ada Fell", "Ben Moor", "Cy Beck"]);
  });

  test("the order changes by keyboard, and the focus follows", async () => {
    const page = portal();
    await page.getByRole("button", { name: "Move Ada Fell down" }).focus();
    await page.keyboard.press("Enter");
    await waitForOrder(page, ["Ben Moor", "Ada Fell", "Cy Beck"]);
    await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "Move Ada Fell down");
    await page.keyboard.press("Enter");
    await waitForOrder(page, ["Ben Moor", "Cy Beck", "Ada Fell"]);
    await page.getByRole("button", { name: "Move Ada Fell up" }).focus();
    await page.keyboard.press("Enter");
    await waitForOrder(page, ["Ben Moor", "Ada Fell", "Cy Beck"]);
    await page.getByText("Ada Fell moved up.").waitFor({ state: "attached" });

    // Later changes leave the focus where it is.
    await page.getByRole("heading", { name: /^Waiting list/ }).click();
    await staff.from("waiting_list").update({ note: "Rings back" }).eq("name", "Ben Moor");
    await page.evaluate(() => globalThis.__reactRouterDataRouter?.revalidate());
    await page.getByText("Rings back").waitFor();
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true);
  });

  test("the number of waiting people is shown wherever dates are listed", async () => {
    const page = portal();
    await visit(page, "/admin/courses");
    await page.getByRole("link", { name: "full, 3 waiting" }).click();
    await page.getByText("Waiting list (3 waiting)").waitFor();
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export waiting list" }).click();
    const csv = await readFile(await (await downloading).path(), "utf8");
    expect(csv.match(/Ben Moor|Ada Fell|Cy Beck/g)).toEqual(["Ben Moor", "Ada Fell", "Cy Beck"]);
    await page.getByRole("button", { name: "New booking" }).click();
    await page.getByLabel("Date", { exact: true }).locator("option", { hasText: "full, 3 waiting" }).waitFor({ state: "attached" });
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
  });

  test("after a cancelled booking, the message names the first person whose places are free", async () => {
    const page = portal();
    await page.getByRole("button", { name: /^Cancel Full House/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel", exact: true }).click();
    await page.getByText("Booking cancelled. Next to call: Ada Fell, 07700 900 123, 1 place.").waitFor();
    await page.getByRole("button", { name: /^Called Ada Fell/ }).click();
    await page.getByText("Ada Fell was called.").waitFor();
    await page.getByText("Next to call: Cy Beck").waitFor();
    await page.getByRole("button", { name: /^Not called Ada Fell/ }).click();
    await page.getByText("Next to call: Ada Fell").waitFor();
    // Ben Moor needs two places, which are not free.
    expect(await page.getByRole("button", { name: /^Book Ben Moor/ }).count()).toBe(0);
  });

  test("booking an entry, also by two presses, removes it from the list", async () => {
    const page = portal();
    await page.getByRole("button", { name: /^Book Ada Fell/ }).focus();
    for (const key of ["Enter", "Enter"]) await page.keyboard.press(key);
    await page.getByText("Booking added for Ada Fell, and the entry was removed from the waiting list.").waitFor();
    await page.getByText("Full: the only place is taken").waitFor();
    await waitForOrder(page, ["Ben Moor", "Cy Beck"]);
  });

  test("when two people change an entry at once, the second sees a message, and an entry can move to another date", async () => {
    const page = portal();
    await page.getByRole("button", { name: /^Edit Cy Beck on/ }).click();
    await focused(page, "name");
    await staff.from("waiting_list").update({ note: "Mornings" }).eq("name", "Cy Beck");
    await choose(page, "Date", /CCTV, Mon 10 Mar 2031/);
    await page.getByRole("button", { name: "Save entry" }).click();
    await page.getByText("Somebody else changed this entry while you were editing it. Note: empty, now Mornings.").waitFor();
    await page.getByRole("button", { name: "Save entry" }).click();
    await page.getByText("Entry of Cy Beck saved.").waitFor();
    await waitForOrder(page, ["Ben Moor"]);
  });

  test("a date with a waiting list is not deleted until its entries are withdrawn", async () => {
    const page = portal();
    await visit(page, "/admin/courses");
    await deleteRow(page, /^Delete Lvl 2 CCTV, Monday 10 March 2031/);
    await page.getByText("Cannot delete this course as people are on its waiting list.").waitFor();
    await page.getByRole("link", { name: "Show its waiting list" }).click();
    await page.getByRole("button", { name: /^Withdraw Cy Beck/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Withdraw" }).click();
    await page.getByText("Cy Beck was removed from the waiting list.").waitFor();
    await visit(page, "/admin/courses");
    await deleteRow(page, /^Delete Lvl 2 CCTV, Monday 10 March 2031/);
    await page.getByText("Course deleted successfully!").waitFor();
  });

  test("an entry with unsaved input keeps its date if the dates are loaded after its form has opened", async () => {
    const page = await newQuietWindow(portal());
    const date = await addDate(staff, "2031-04-07T09:00", 6);
    await staff.from("waiting_list").insert({ course_id: date, name: "Wes Hill", phone: "07700 900 111" }).throwOnError();
    await page.goto(`/admin/bookings?date=${date}`);
    await page.getByRole("button", { name: /^Edit Wes Hill/ }).click();
    await page.getByLabel(/^Note/).fill("Mornings");
    const load = await holdBack(page, "waiting_list(id)");
    await page.reload();
    await continueUnsaved(page);
    await expect.poll(() => page.getByLabel(/^Note/).inputValue()).toBe("Mornings");
    load();
    await page.getByText("Waiting list (1 waiting)").waitFor();
    expect(await page.getByLabel("Date", { exact: true }).inputValue()).toBe(date);
    await page.close();
  });

  test("visitors join the waiting list of a full date by a form", async () => {
    const page = portal();
    await page.goto("/cctv");
    await page.getByRole("link", { name: /^Join the Waiting List: .*Monday 3 March 2031/ }).click();
    await page.getByLabel("Your name").fill("Wanda Waits");
    await page.getByLabel("Phone").fill("01632 960 777");
    await page.getByRole("button", { name: "Join the waiting list" }).click();
    await page.getByRole("heading", { name: "You are on the waiting list" }).waitFor();
  });

  testScreen("the waiting list", portal, async (page) => {
    await showDate(page);
    await page.getByRole("button", { name: "Add to waiting list" }).first().click();
    await page.getByRole("form").waitFor();
  });

  test("a booking that is refused because the date is full shows the present number of places, also in the option, and becomes an entry of the waiting list", async () => {
    const date = await addDate(staff, "2031-03-17T09:00", 3, { name: "Cy Beck", places: 2 });
    // This window must not load the other booking before it sends its own.
    const page = await newQuietWindow(portal());
    await page.goto("/admin/bookings?new");
    await page.getByLabel("Name", { exact: true }).fill("Eve Hill");
    await choose(page, "Date", /CCTV, Mon 17 Mar 2031/);
    await page.getByText("1 of 3 places left").waitFor();
    await staff.from("bookings").insert({ course_id: date, name: "Dee Hill" });
    await page.getByRole("button", { name: "Add booking" }).click();
    await page.getByText("That date is full. Choose another date, or add Eve Hill to its waiting list.").waitFor();
    await page.getByText("Full: all 3 places are taken").waitFor();
    await option(page, "Date", /CCTV, Mon 17 Mar 2031, 09:00: full$/).waitFor({ state: "attached" });
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Eve Hill");
    expect(await violations(page)).toEqual([]);
    await page.getByLabel("Phone").fill("07700 900 777");
    await page.getByRole("button", { name: "Add booking" }).press("Enter");
    await page.getByRole("button", { name: "Add to the waiting list" }).press("Enter");
    await page.getByText("Eve Hill is on the waiting list.").waitFor();
    await page.close();
  });
});

/** Opens the bookings of the full date. */
async function showDate(page: Page): Promise<void> {
  await visit(page, "/admin/bookings");
  await choose(page, "Bookings of", /CCTV, Mon 3 Mar 2031/);
  await page.getByRole("heading", { name: /^Waiting list/ }).waitFor();
}

async function add(page: Page, name: string, phone: string): Promise<void> {
  await page.getByRole("button", { name: "Add to waiting list" }).click();
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Phone").fill(phone);
  await page.getByRole("form").getByRole("button", { name: "Add to waiting list" }).click();
}

/** Waits until the list has these people in this order. */
async function waitForOrder(page: Page, names: readonly string[]): Promise<void> {
  const rows = page.getByRole("table", { name: "Waiting list" }).locator("tbody strong");
  await expect.poll(() => rows.allTextContents()).toEqual(names);
}
