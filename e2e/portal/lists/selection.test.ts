import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { violations } from "../../support/axe.ts";
import { focusInView } from "../../support/keyboard.ts";
import { addDate, clientOf, openPortal, testScreen, visit } from "../../support/portal.ts";
import { refuseRequests } from "../../support/refuse-requests.ts";

describe("selected rows", () => {
  const portal = openPortal();
  const box = (page: Page, name: string) => page.getByRole("checkbox", { name: new RegExp(`^Select ${name},`) });
  const selection = (page: Page) => page.getByRole("region", { name: "Selection" });

  beforeAll(async () => {
    const people = ["Sel Beck", "Sel Crag", "Sel Dale", "Sel Edge"].map((name, n) => ({
      name,
      email: n === 1 ? null : `${name.slice(4).toLowerCase()}@mail.example`,
      payment_status: n === 3 ? "paid" : "due",
      payment_method: n === 3 ? "cash" : null,
    }));
    await addDate(portal(), "2031-06-02T09:00", 9, ...people);
  });

  test("of bookings are marked as paid by keyboard, which can be undone, and stay selected if that fails", async () => {
    const page = portal();
    await visit(page, "/admin/bookings?words=Sel");
    await box(page, "Sel Beck").focus();
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("ArrowDown");
    await selection(page).getByText("3 bookings selected").waitFor();
    expect(await box(page, "Sel Edge").evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
    await page.keyboard.press("Space");
    await selection(page).getByText("4 bookings selected").waitFor();
    expect(await violations(page)).toEqual([]);
    await refuseRequests(page, "**/rest/v1/bookings?*", "/rest/v1/bookings?probe");
    await selection(page).getByRole("button", { name: "Mark 3 paid, card" }).press("Enter");
    await page.getByText(/^Failed to save booking/).waitFor();
    await selection(page).getByText("4 bookings selected").waitFor();
    await page.unroute("**/rest/v1/bookings?*");
    await selection(page).getByRole("button", { name: "Mark 3 paid, card" }).press("Enter");
    await page.getByText("3 bookings marked: Paid, card.").waitFor();
    await expect.poll(() => page.getByRole("row", { name: /Sel (Beck|Crag|Dale).*Paid, card/s }).count()).toBe(3);
    await selection(page).waitFor({ state: "detached" });
    // The notice has the focus.
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByText("3 bookings are not paid.").waitFor();
    await page.getByRole("row", { name: /Sel Edge.*Paid, cash/s }).waitFor();
    await expect.poll(() => page.getByRole("row", { name: /Sel (Beck|Crag|Dale).*Not paid/s }).count()).toBe(3);
  });

  test("of bookings by a click with Shift are written to and printed, and those that a search hides are not", async () => {
    const page = portal();
    await visit(page, "/admin/bookings?words=Sel");
    await box(page, "Sel Beck").click();
    await box(page, "Sel Dale").click({ modifiers: ["Shift"] });
    await selection(page).getByText("3 bookings selected").waitFor();
    const write = selection(page).getByRole("link", { name: "Write to 2" });
    expect(await write.getAttribute("href")).toBe("mailto:?bcc=beck@mail.example,dale@mail.example");
    await page.emulateMedia({ media: "print" });
    expect(await page.getByRole("row", { name: /Sel Dale/ }).isVisible()).toBe(true);
    expect(await page.getByRole("row", { name: /Sel Edge/ }).isVisible()).toBe(false);
    expect(await page.getByRole("columnheader", { name: "Name" }).isVisible()).toBe(true);
    expect(await selection(page).isVisible()).toBe(false);
    expect(await page.getByRole("main").getByRole("button").or(page.getByRole("main").getByRole("textbox")).count()).toBe(0);
    await page.emulateMedia({ media: "screen" });
    await page.getByRole("searchbox", { name: "Search", exact: true }).fill("Sel Beck");
    await selection(page).getByText("1 booking selected").waitFor();
    await page.getByRole("searchbox", { name: "Search", exact: true }).fill("Sel");
    await page.getByRole("checkbox", { name: "Select all 4" }).check();
    await selection(page).getByText("4 bookings selected").waitFor();
    await selection(page).getByRole("button", { name: "Clear selection" }).press("Enter");
    await selection(page).waitFor({ state: "detached" });
    await box(page, "Sel Beck").and(page.locator(":focus")).waitFor();
  });

  test("in other lists: people booked on dates and enquirers are written to, and enquiries are closed", async () => {
    const page = portal();
    await refuseRequests(page, "**/rest/v1/bookings?*", "/rest/v1/bookings?probe");
    await visit(page, "/admin/courses?words=2 jun 2031");
    await page.getByRole("checkbox", { name: /^Select Lvl 2 CCTV, Monday 2 June 2031/ }).check();
    await selection(page).getByText("Unexpected error fetching bookings. Please try again.").waitFor();
    await page.unroute("**/rest/v1/bookings?*");
    await selection(page).getByRole("button", { name: "Try Again" }).click();
    const write = selection(page).getByRole("link", { name: "Write to 3" });
    expect(await write.getAttribute("href")).toMatch(/^mailto:\?bcc=(?:(?:beck|dale|edge)@mail\.example,?){3}$/);
    expect(await violations(page)).toEqual([]);

    const staff = await clientOf(page);
    const enquiries = ["beck@mail.example", "07700 900 123"].map((reply_to, n) => ({ name: `Sel ${n}`, reply_to, message: "When?" }));
    expect((await staff.from("enquiries").insert(enquiries)).error).toBeNull();
    await visit(page, "/admin/enquiries?words=Sel");
    await page.getByRole("checkbox", { name: "Select all 2" }).check();
    await selection(page).getByText("2 enquiries selected").waitFor();
    expect(await selection(page).getByRole("link", { name: "Write to 1" }).getAttribute("href")).toBe("mailto:?bcc=beck@mail.example");
    await selection(page).getByRole("button", { name: "Mark 2 as closed" }).press("Enter");
    await page.getByText("2 enquiries, 0 new").waitFor();
    await expect
      .poll(async () => (await staff.from("enquiries").select("status").like("name", "Sel %")).data)
      .toEqual([{ status: "closed" }, { status: "closed" }]);
  });

  test("are in view on a phone with every control that Tab reaches", async () => {
    const page = portal();
    await page.setViewportSize({ width: 360, height: 740 });
    await visit(page, "/admin/bookings?words=Sel");
    await page.getByRole("checkbox", { name: "Select all 4" }).press("Space");
    await selection(page).getByText("4 bookings selected").waitFor();
    const hidden: string[] = [];
    let focus = await focusInView(page);
    for (; focus.isInTable; focus = await focusInView(page)) {
      if (!focus.isInView) hidden.push(focus.name);
      await page.keyboard.press("Tab");
    }
    expect(hidden).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  testScreen("a list with selected rows", portal, async (page) => {
    await visit(page, "/admin/bookings?words=Sel");
    await box(page, "Sel Beck").check();
    await selection(page).getByText("1 booking selected").waitFor();
  });
});
