import { beforeAll, describe, expect, test } from "vitest";
import { addDate, choose, openPortal, testScreen } from "../support/portal.ts";

const MARCH = "/admin/calendar?view=month&day=2031-03-03";

describe("the calendar", () => {
  const portal = openPortal();
  beforeAll(async () => {
    const page = portal();
    await addDate(page, "2031-03-03T09:00", "9");
    await page.goto("/admin/bookings?new");
    await page.getByLabel("Name", { exact: true }).fill("Ada Fell");
    await page.getByLabel("Phone").fill("07700 900123");
    await choose(page, "Date", /Mon 3 Mar 2031/);
    await page.getByRole("button", { name: "Add booking" }).click();
    await page.getByText("Booking added for Ada Fell.").waitFor();
  });

  test("a date is moved by keyboard, with a warning about the people booked, and moved back", async () => {
    const page = portal();
    await page.goto(MARCH);
    await page
      .getByRole("cell", { name: /^3 / })
      .getByRole("button", { name: /Lvl 2 CCTV/ })
      .press("Enter");
    const dialog = page.getByRole("dialog", { name: "Lvl 2 CCTV, Mon 3 Mar 2031, 09:00" });
    await dialog.getByLabel("Move to").fill("2031-04-14");
    await dialog.getByText("Mon 14 Apr 2031 is a bank holiday: Easter Monday.").waitFor();
    await dialog.getByText("1 booking moves with the date. Nobody is told automatically: please call them.").waitFor();
    await dialog.getByRole("link", { name: "07700 900123" }).waitFor();
    await dialog.getByLabel("Move to").press("Enter");
    await page.getByText("Lvl 2 CCTV moved to Mon 14 Apr 2031.").waitFor();
    await page.goto("/admin/bookings?when=all");
    await page.getByRole("row", { name: /Ada Fell.*14 Apr 2031, 09:00/ }).waitFor();
    await page.goto("/admin/calendar?view=list&day=2031-04-01");
    await page.getByRole("button", { name: /Lvl 2 CCTV.*day 1 of 5/ }).click();
    await page.getByLabel("Move to").fill("2031-03-04");
    await page.getByRole("button", { name: "Move date" }).click();
    await page.getByText("Lvl 2 CCTV moved to Tue 4 Mar 2031.").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Lvl 2 CCTV moved back to Mon 14 Apr 2031.").waitFor();
  });

  test("a date that is dragged to another day moves there once it is confirmed", async () => {
    const page = portal();
    await page.goto("/admin/calendar?view=week&day=2031-04-14");
    await page.getByRole("button", { name: /^09:00\s*Lvl 2 CCTV/ }).dragTo(page.getByRole("cell", { name: /^16 / }));
    const dialog = page.getByRole("dialog", { name: /^Lvl 2 CCTV/ });
    await dialog.getByLabel("Move to").waitFor();
    expect(await dialog.getByLabel("Move to").inputValue()).toBe("2031-04-16");
    await dialog.getByRole("button", { name: "Move date" }).click();
    await page
      .getByRole("cell", { name: /^16 / })
      .getByRole("button", { name: /^09:00\s*Lvl 2 CCTV/ })
      .waitFor();
  });

  test("Later and Earlier change the month, which Back keeps", async () => {
    const page = portal();
    await page.goto(MARCH);
    await page.getByRole("link", { name: "Later" }).click();
    await page.getByRole("heading", { name: "April 2031" }).waitFor();
    await page.getByText("Good Friday").waitFor();
    await page.goBack();
    await page.getByRole("heading", { name: "March 2031" }).waitFor();
  });

  for (const view of ["month", "week", "list"])
    testScreen(`the calendar as a ${view}`, portal, async (page) => {
      await page.goto(`/admin/calendar?view=${view}&day=2031-04-16`);
      await page.getByRole("button", { name: /^09:00\s*Lvl 2 CCTV/ }).waitFor();
    });

  testScreen("the form that moves a date", portal, async (page) => {
    await page.goto("/admin/calendar?view=list&day=2031-04-16");
    await page.getByRole("button", { name: /^09:00\s*Lvl 2 CCTV/ }).click();
    await page.getByLabel("Move to").fill("2031-05-05");
    await page.getByText("is a bank holiday").waitFor();
  });
});
