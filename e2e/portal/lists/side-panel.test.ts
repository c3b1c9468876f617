import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { renderLate } from "../../support/late-rendering.ts";
import { addDate, clientOf, focused, openPortal, testScreen, visit } from "../../support/portal.ts";
import { refuseRequests } from "../../support/refuse-requests.ts";

describe("the side panel of a record", () => {
  const portal = openPortal();
  let dateId: string;
  const panel = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
  const link = (page: Page, name: string) => page.getByRole("link", { name: new RegExp(`^Open ${name},`) });
  const hasFocus = async (page: Page, name: string): Promise<void> =>
    await expect.poll(() => link(page, name).evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);

  beforeAll(async () => {
    const page = portal();
    await page.setViewportSize({ width: 1280, height: 900 });
    const bookings = ["Pat Beck", "Pat Crag", "Pat Dale"].map((name) => ({ name, phone: "07700 900321" }));
    dateId = await addDate(page, "2031-06-02T09:00", 9, ...bookings);
    const staff = await clientOf(page);
    const { error } = await staff
      .from("enquiries")
      .insert({ name: "Quin Ghyll", reply_to: "quin@mail.example", message: "Is there parking?" });
    if (error) throw error;
  });

  test("opens with Enter beside the list, follows the arrow keys, and Escape returns to the row", async () => {
    const page = portal();
    await visit(page, "/admin/bookings?words=Pat");
    await link(page, "Pat Beck").press("Enter");
    await panel(page, "Pat Beck").getByText("Added by jo@larkfell-training.example").waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Pat Beck");
    const [list, beside] = [await page.getByRole("table", { name: "Bookings" }).boundingBox(), await panel(page, "Pat Beck").boundingBox()];
    expect(beside?.x).toBeGreaterThan((list?.x ?? Infinity) + (list?.width ?? 0));

    await link(page, "Pat Beck").focus();
    await page.keyboard.press("ArrowDown");
    await panel(page, "Pat Crag").waitFor();
    await hasFocus(page, "Pat Crag");
    await page.keyboard.press("ArrowDown");
    await panel(page, "Pat Dale").waitFor();
    await page.keyboard.press("Escape");
    await panel(page, "Pat Dale").waitFor({ state: "detached" });
    await hasFocus(page, "Pat Dale");
    expect(new URL(page.url()).search).toBe("?words=Pat");
  });

  test("closes on Escape and leaves the focus where it is as soon as it appears, also when React renders late", async () => {
    const page = portal();
    const search = page.getByLabel("Search");
    await visit(page, "/admin/bookings?words=Pat");
    await link(page, "Pat Beck").waitFor();
    await renderLate(page, async () => {
      await link(page, "Pat Beck").press("Enter");
      await panel(page, "Pat Beck").waitFor();
      await page.keyboard.press("Escape");
      await panel(page, "Pat Beck").waitFor({ state: "detached" });
      await link(page, "Pat Crag").press("Enter");
      await panel(page, "Pat Crag").waitFor();
      await search.press("End");
      await page.keyboard.type(" Crag");
      expect(await search.inputValue()).toBe("Pat Crag");
    });
    expect(await search.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  test("is in the address: a reload keeps it, and Back closes it", async () => {
    const page = portal();
    await visit(page, "/admin/bookings?words=Pat");
    await page
      .getByRole("row", { name: /Pat Crag/ })
      .getByText("09:00")
      .click();
    await panel(page, "Pat Crag").waitFor();
    await page.reload();
    await panel(page, "Pat Crag").getByText("Added by").waitFor();
    await page.goBack();
    await panel(page, "Pat Crag").waitFor({ state: "detached" });
    await link(page, "Pat Crag").waitFor();
    await page.goForward();
    await panel(page, "Pat Crag").waitFor();
    await page.goBack();
    await panel(page, "Pat Crag").waitFor({ state: "detached" });
    await hasFocus(page, "Pat Crag");
  });

  test("has the actions of the row, and its history shows their result", async () => {
    const page = portal();
    await visit(page, "/admin/bookings?words=Pat");
    await link(page, "Pat Beck").press("Enter");
    await panel(page, "Pat Beck")
      .getByRole("button", { name: /^Mark paid, card/ })
      .press("Enter");
    await page.getByText("Pat Beck paid: Paid, card.").waitFor();
    await panel(page, "Pat Beck").getByText("Changed by jo@larkfell-training.example").waitFor();

    await panel(page, "Pat Beck").getByRole("button", { name: /^Edit/ }).press("Enter");
    const note = page.getByRole("form", { name: "Booking of Pat Beck" }).getByLabel("Note");
    await note.fill("Comes by train");
    await note.press("Escape");
    await page
      .getByRole("dialog", { name: /^Discard/ })
      .getByRole("button", { name: "Keep editing" })
      .press("Enter");
    await page.getByRole("button", { name: "Save booking" }).click();
    await page.getByText("Booking of Pat Beck saved.").waitFor();
    await panel(page, "Pat Beck").getByText("Comes by train").first().waitFor();
  });

  test("is a dialog on a phone, which shows the result of an action", async () => {
    const page = portal();
    await page.setViewportSize({ width: 360, height: 800 });
    await visit(page, "/admin/bookings?words=Pat");
    await link(page, "Pat Dale").press("Enter");
    const dialog = page.getByRole("dialog", { name: "Pat Dale", exact: true });
    await dialog.waitFor();
    expect(await dialog.boundingBox()).toEqual({ x: 0, y: 0, width: 360, height: 800 });
    await dialog.getByRole("button", { name: /^Delete/ }).press("Enter");
    await page
      .getByRole("dialog", { name: /^Are you sure/ })
      .getByRole("button", { name: "Delete" })
      .press("Enter");
    await dialog
      .or(page.getByRole("dialog", { name: "This booking" }))
      .getByText("Booking deleted.")
      .waitFor();
    await page.getByText("This booking does not exist any more.").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Undo" }).press("Enter");
    await dialog.getByText("Restored by").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await hasFocus(page, "Pat Dale");

    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: /^Edit/ }).press("Enter");
    await dialog.waitFor({ state: "detached" });
    await focused(page, "name");

    await visit(page, "/admin/bookings?words=Pat");
    await link(page, "Pat Dale").press("Enter");
    await dialog.getByRole("button", { name: /^Delete/ }).press("Enter");
    await page
      .getByRole("dialog", { name: /^Are you sure/ })
      .getByRole("button", { name: "Delete" })
      .press("Enter");
    await page.getByRole("dialog").getByText("Booking deleted.").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    // The list may still show the row at that moment; then the focus moves on to the next one.
    await page.locator('main :is(h1, a[data-open]:not([aria-label^="Open Pat Dale"])):focus').waitFor();
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  test("shows an enquiry that its list does not contain, and the history of its status", async () => {
    const page = portal();
    const staff = await clientOf(page);
    const { data } = await staff.from("enquiries").select("id").eq("name", "Quin Ghyll").single();
    await visit(page, `/admin/enquiries?status=closed&open=${data?.id}`);
    const quin = panel(page, "Quin Ghyll");
    await quin.getByText("Is there parking?").waitFor();
    await quin.getByLabel(/^Status of Quin Ghyll/).selectOption("Called");
    const change = quin.getByRole("listitem").filter({ hasText: "Changed by jo@larkfell-training.example" });
    await expect.poll(() => change.innerText()).toMatch(/Status\s*New.*Called/s);
    await quin.getByRole("button", { name: "Close panel" }).press("Enter");
    await quin.waitFor({ state: "detached" });
    expect(new URL(page.url()).search).toBe("?status=closed");
  });

  test("keeps a booking that cannot be read again, and Try Again reads it", async () => {
    const page = portal();
    const staff = await clientOf(page);
    const { data } = await staff.from("bookings").select("id").eq("name", "Pat Crag").single();
    // The list does not contain it.
    await visit(page, `/admin/bookings?when=today&open=${data?.id}`);
    const crag = panel(page, "Pat Crag");
    await crag.getByText("Added by").waitFor();
    await refuseRequests(page, "**/rest/v1/bookings?*", "/rest/v1/bookings?probe");
    await crag.getByRole("button", { name: /^Mark paid, cash/ }).press("Enter");
    await page.getByText(/^Failed to save booking/).waitFor();
    const failure = crag.getByText("Unexpected error fetching booking. Please try again.");
    await failure.waitFor();
    await crag.getByText("Not paid").waitFor();
    await page.unroute("**/rest/v1/bookings?*");
    await crag.getByRole("button", { name: "Try Again" }).click();
    await failure.waitFor({ state: "detached" });
    await crag.getByText("Not paid").waitFor();
  });

  testScreen("the panel of a booking", portal, async (page) => {
    await visit(page, "/admin/bookings?words=Pat");
    await link(page, "Pat Crag").press("Enter");
    await page.getByText("Added by").waitFor();
  });

  testScreen("the panel of an enquiry", portal, async (page) => {
    await visit(page, "/admin/enquiries");
    await link(page, "Quin Ghyll").press("Enter");
    await page.getByText("Changed by").waitFor();
  });

  testScreen("the panel of a course date", portal, async (page) => {
    await visit(page, `/admin/courses?open=${dateId}`);
    await page.getByText("Added by").waitFor();
  });
});
