import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { violations } from "../../support/axe.ts";
import { addDate, openPortal, testScreen } from "../../support/portal.ts";

describe("selected bookings", () => {
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

  test("are marked as paid by keyboard, which can be undone", async () => {
    const page = portal();
    await page.goto("/admin/bookings?words=Sel");
    await box(page, "Sel Beck").focus();
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("ArrowDown");
    await selection(page).getByText("3 bookings selected").waitFor();
    expect(await box(page, "Sel Edge").evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
    await page.keyboard.press("Space");
    await selection(page).getByText("4 bookings selected").waitFor();
    expect(await violations(page)).toEqual([]);
    await selection(page).getByRole("button", { name: "Mark 3 paid, card" }).press("Enter");
    await page.getByText("3 bookings marked: Paid, card.").waitFor();
    await expect.poll(() => page.getByRole("row", { name: /Sel (Beck|Crag|Dale).*Paid, card/s }).count()).toBe(3);
    await selection(page).waitFor({ state: "detached" });
    // The notice has the focus.
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByText("3 bookings are not paid.").waitFor();
    await page.getByRole("row", { name: /Sel Edge.*Paid, cash/s }).waitFor();
    await expect.poll(() => page.getByRole("row", { name: /Sel (Beck|Crag|Dale).*Due/s }).count()).toBe(3);
  });

  test("by a click with Shift are written to and printed, and those that a search hides are not", async () => {
    const page = portal();
    await page.goto("/admin/bookings?words=Sel");
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
    await selection(page).getByRole("button", { name: "Clear selection" }).click();
    await selection(page).waitFor({ state: "detached" });
  });

  testScreen("a list with selected rows", portal, async (page) => {
    await page.goto("/admin/bookings?words=Sel");
    await box(page, "Sel Beck").check();
    await selection(page).getByText("1 booking selected").waitFor();
  });
});
