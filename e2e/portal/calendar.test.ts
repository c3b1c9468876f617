import { beforeAll, describe, expect, test } from "vitest";
import { violations } from "../support/axe.ts";
import { addDate, clientOf, openPortal, testScreen, visit } from "../support/portal.ts";
import { holdBack } from "../support/refuse-requests.ts";

const MARCH = "/admin/calendar?view=month&day=2031-03-03";

describe("the calendar", () => {
  const portal = openPortal();
  beforeAll(() => addDate(portal(), "2031-03-03T09:00", 9, { name: "Ada Fell", phone: "07700 900123" }));

  test("a date is moved by keyboard, with a warning about the people booked, and moved back", async () => {
    const page = portal();
    await visit(page, MARCH);
    const date = page.getByRole("cell", { name: /^3 / }).getByRole("button", { name: /Lvl 2 CCTV.*Mon 3 Mar 2031$/ });
    const dialog = page.getByRole("dialog", { name: "Lvl 2 CCTV, Mon 3 Mar 2031, 09:00" });
    await date.press("Enter");
    await dialog.waitFor();
    await page.keyboard.press("Escape");
    await date.and(page.locator(":focus")).waitFor();
    await date.press("Enter");
    await dialog.getByLabel("Move to").fill("2031-04-14");
    await dialog.getByText("Mon 14 Apr 2031 is a bank holiday: Easter Monday.").waitFor();
    await dialog.getByText("1 booking moves with the date. Those with an e-mail address get a letter; please call the others.").waitFor();
    await dialog.getByRole("link", { name: "07700 900123" }).waitFor();
    await dialog.getByLabel("Move to").press("Enter");
    await page.getByText("Lvl 2 CCTV moved to Mon 14 Apr 2031.").waitFor();
    await visit(page, "/admin/bookings?when=all");
    await page.getByRole("rowheader", { name: "Mon 14 Apr 2031" }).waitFor();
    await page.getByRole("row", { name: /Ada Fell.*09:00/s }).waitFor();
    await visit(page, "/admin/calendar?view=list&day=2031-04-01");
    await page.getByRole("button", { name: /Lvl 2 CCTV.*day 1 of 5/ }).click();
    await page.getByLabel("Move to").fill("2031-03-04");
    await page.getByRole("button", { name: "Move date" }).click();
    await page.getByText("Lvl 2 CCTV moved to Tue 4 Mar 2031.").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Lvl 2 CCTV moved back to Mon 14 Apr 2031.").waitFor();
  });

  test("a date that is dragged to another day moves there once it is confirmed", async () => {
    const page = portal();
    await visit(page, "/admin/calendar?view=week&day=2031-04-14");
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

  test("before a date is moved, the other dates of its trainer at these hours are named", async () => {
    const page = portal();
    const staff = await clientOf(page);
    const { data: people } = await staff.rpc("list_staff");
    const trainer_id = people[0].id;
    const date = { capacity: 4, trainer_id };
    await staff.from("course_dates").insert([
      { ...date, course_name: "Manual Handling", course_date: "2031-06-10T08:00:00Z" },
      { ...date, course_name: "Lvl 2 CCTV", course_date: "2031-06-17T08:00:00Z", end_date: "2031-06-18" },
    ]);
    await visit(page, "/admin/calendar?view=month&day=2031-06-01");
    await page.getByRole("button", { name: /Manual Handling/ }).press("Enter");
    const dialog = page.getByRole("dialog", { name: /^Manual Handling/ });
    await dialog.getByLabel("Move to").fill("2031-06-18");
    await dialog.getByText("jo@larkfell-training.example also teaches Lvl 2 CCTV on Tue 17 Jun 2031 at 09:00.").waitFor();
    expect(await violations(page)).toEqual([]);
    await dialog.getByLabel("Move to").fill("2031-06-19");
    await dialog.getByText("also teaches").waitFor({ state: "detached" });
    await dialog.getByLabel("Move to").press("Enter");
    await page.getByText("Manual Handling moved to Thu 19 Jun 2031.").waitFor();
  });

  test("Later shows the next month, and Back the month before it", async () => {
    const page = portal();
    await visit(page, MARCH);
    await page.getByRole("link", { name: "Later" }).click();
    await page.getByRole("heading", { name: "April 2031" }).waitFor();
    await page.getByText("Good Friday").waitFor();
    await page.goBack();
    await page.getByRole("heading", { name: "March 2031" }).waitFor();
  });

  test("another month is shown as loading until its dates are there", async () => {
    const page = portal();
    await visit(page, MARCH);
    await page.getByRole("table", { name: "Course dates" }).waitFor();
    const release = await holdBack(page, "/rest/v1/course_dates?select=id,course_name,course_date,end_date");
    const later = page.getByRole("link", { name: "Later" });
    await later.press("Enter");
    await page.getByRole("heading", { name: "April 2031" }).waitFor();
    await page.getByText("Loading…").waitFor();
    expect(await page.getByRole("table", { name: "Course dates" }).count()).toBe(0);
    await later.and(page.locator(":focus")).waitFor();
    release();
    await page.getByRole("table", { name: "Course dates" }).waitFor();
    await page.unrouteAll();
  });

  test("a calendar program reads the dates at a secret address, until that is removed", async () => {
    const page = portal();
    await visit(page, "/admin/calendar");
    await page.getByRole("link", { name: "See these dates in your own calendar" }).press("Enter");
    await page.getByRole("button", { name: "Make an address" }).press("Enter");
    await page.getByText("The address of your calendar is ready to copy.").waitFor();
    const address = await page.getByLabel("Address", { exact: true }).inputValue();
    expect(await violations(page)).toEqual([]);
    const read = async () => {
      const response = await fetch(address);
      return { status: response.status, type: response.headers.get("content-type"), text: (await response.text()).replaceAll("\r\n ", "") };
    };
    const { status, type, text } = await read();
    expect([status, type]).toEqual([200, "text/calendar; charset=utf-8"]);
    expect(text).toContain("X-WR-CALNAME:Larkfell Training: course dates\r\n");
    expect(text).toContain("SUMMARY:CCTV Operator\\, 1 of 9 taken\r\n");
    expect(text).toMatch(/URL:http:.*\/admin\/calendar\?day=2031-0/);
    expect(text).not.toContain("Ada");
    expect(text.split("BEGIN:VEVENT").length).toBe(text.split("END:VEVENT").length);

    await page.reload();
    await page.getByText(/^Your address was made on/).waitFor();
    await page.getByRole("button", { name: "Remove the address of your calendar" }).press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).press("Enter");
    await page.getByText("The address of your calendar is removed.").waitFor();
    expect((await read()).status).toBe(404);
    expect((await fetch(address.replace(/[^/]*$/, "nothing.ics"))).status).toBe(404);
  });

  for (const view of ["month", "week", "list"])
    testScreen(`the calendar as a ${view}`, portal, async (page) => {
      await visit(page, `/admin/calendar?view=${view}&day=2031-04-16`);
      await page.getByRole("button", { name: /^09:00\s*Lvl 2 CCTV/ }).waitFor();
    });

  testScreen("the form that moves a date", portal, async (page) => {
    await visit(page, "/admin/calendar?view=list&day=2031-04-16");
    await page.getByRole("button", { name: /^09:00\s*Lvl 2 CCTV/ }).click();
    await page.getByLabel("Move to").fill("2031-05-05");
    await page.getByText("is a bank holiday").waitFor();
  });
});
