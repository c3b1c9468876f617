import { describe, expect, test } from "vitest";
import { addDate, choose, openPortal, tomorrow } from "../support/portal.ts";
import { openWindow, stopPolls } from "../support/windows.ts";

// The main journey has two of these windows, on every deployment.
describe("live places", () => {
  const portal = openPortal();

  test("a booking taken in one window lowers the places in every open window, and typed text stays", async () => {
    const page = portal();
    await stopPolls(page.context());
    const day = tomorrow();
    await addDate(page, `${day}T09:00`, 9);
    const [dates, calendar, today, form] = await Promise.all([
      openWindow(page, "/admin/courses"),
      openWindow(page, `/admin/calendar?view=list&day=${day}`),
      openWindow(page, "/admin"),
      openWindow(page, "/admin/bookings?new"),
    ]);
    await dates.getByRole("link", { name: "9 left" }).waitFor();
    await calendar.getByText("0 of 9").waitFor();
    await today.getByText("0 of 9 taken").first().waitFor();
    await form.getByLabel("Name", { exact: true }).fill("Ben Moor");
    await choose(form, "Date", /Lvl 2 CCTV.*: 9 left/);
    await form.getByText("9 of 9 places left").waitFor();
    await form.getByLabel("Note").fill("Vegetarian");

    await page.goto("/admin/bookings?new");
    await page.getByLabel("Name", { exact: true }).fill("Ada Fell");
    await choose(page, "Date", /Lvl 2 CCTV.*: 9 left/);
    await page.getByLabel("Places", { exact: true }).fill("2");
    await page.getByRole("button", { name: "Add booking" }).click();
    await page.getByText("Booking added for Ada Fell:").waitFor();
    await dates.getByRole("link", { name: "7 left" }).waitFor();
    await calendar.getByText("2 of 9").waitFor();
    await today.getByText("2 of 9 taken").first().waitFor();
    await today.getByRole("region", { name: "The next seven days" }).getByText("Ada Fell").waitFor();
    await form.getByText("7 of 9 places left").waitFor();
    await form.getByRole("row", { name: /Ada Fell/ }).waitFor();
    expect(await form.getByLabel("Name", { exact: true }).inputValue()).toBe("Ben Moor");
    expect(await form.getByLabel("Note").inputValue()).toBe("Vegetarian");
    await form.getByRole("button", { name: "Add booking" }).click();
    await form.getByText("Booking added for Ben Moor:").waitFor();
    await dates.getByRole("link", { name: "6 left", exact: true }).waitFor();
    await Promise.all([dates, calendar, today, form].map((window) => window.close()));
  });
});
