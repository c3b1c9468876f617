import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import type { SupabaseClient } from "@supabase/supabase-js";
import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { addDate, choose, clientOf, continueUnsaved, enterPassword, focused, openPortal, testScreen, visit } from "../support/portal.ts";
import { newQuietWindow } from "../support/windows.ts";

describe("enquiries", () => {
  const portal = openPortal();
  let staff: SupabaseClient;

  beforeAll(async () => {
    staff = await clientOf(portal());
    await addDate(staff, "2031-03-03T09:00", 2);
    await sendEnquiry(portal(), "Ada Fell", "ada@mail.example", "CCTV Operator", "When is the next one?");
  });

  test("enquiries are listed with the newest first, with a link to reply and their whole text on demand", async () => {
    const page = portal();
    await visit(page, "/admin");
    await page.getByRole("link", { name: "Enquiries", exact: true }).first().click();
    await page.getByText("1 enquiry, 1 new").waitFor();
    await sendEnquiry(page, "Ben Moor", "07700 900 142", "", `Do you come to us? ${"We are many. ".repeat(40)}The end.`);
    await visit(page, "/admin/enquiries");
    await page.getByText("2 enquiries, 2 new").waitFor();
    expect(await page.getByRole("row").nth(1).textContent()).toContain("Ben Moor");
    expect(await page.getByRole("link", { name: "07700 900 142" }).getAttribute("href")).toBe("tel:07700900142");
    expect(await page.getByRole("link", { name: "ada@mail.example" }).getAttribute("href")).toBe("mailto:ada@mail.example");
    await page.getByRole("button", { name: "Show more" }).click();
    await page.getByText("The end.").waitFor();
    await page.getByRole("button", { name: "Show less" }).click();
  });

  test("the status changes with one key, and the focus stays on it", async () => {
    const page = portal();
    const status = page.getByLabel(/^Status of Ben Moor/);
    await status.focus();
    await page.keyboard.press("ArrowDown");
    await page.getByText("Ben Moor: Called").waitFor({ state: "attached" });
    await page.getByText("2 enquiries, 1 new").waitFor();
    await expect.poll(() => status.inputValue()).toBe("called");
    expect(await status.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  test("when two people change a status at once, the second sees a message", async () => {
    const page = portal();
    // This window must not load the other's change before it saves its own.
    const other = await newQuietWindow(page);
    await setStatus(page, "Ben Moor", "Called");
    await other.goto("/admin/enquiries");
    await other.getByLabel(/^Status of Ben Moor/).waitFor();
    await setStatus(page, "Ben Moor", "Closed");
    await other.getByLabel(/^Status of Ben Moor/).selectOption("New");
    await other.getByText("The enquiry of Ben Moor is not “Called” any more").waitFor();
    await expect.poll(() => other.getByLabel(/^Status of Ben Moor/).inputValue()).toBe("closed");
    await other.close();
    await page.bringToFront();
    await setStatus(page, "Ben Moor", "Called");
  });

  test("a note survives a sign-out", async () => {
    const page = portal();
    await page.getByRole("button", { name: /^Note Ada Fell/ }).click();
    await note(page).fill("Wants March");
    await page.getByRole("button", { name: "Logout" }).click();
    await page.getByRole("heading", { name: "Admin Login" }).waitFor();
    await enterPassword(page);
    await page.getByRole("heading", { name: "Admin Dashboard" }).waitFor();
    await visit(page, "/admin/enquiries");
    await continueUnsaved(page);
    await expect.poll(() => note(page).inputValue()).toBe("Wants March");
    await page.getByRole("button", { name: "Save enquiry" }).click();
    await page.getByText("Enquiry of Ada Fell saved.").waitFor();
  });

  test("a new enquiry appears without a reload", async () => {
    const page = portal();
    const visitor = await page.context().newPage();
    await sendEnquiry(visitor, "Cy Beck", "cy@mail.example", "", "Is there parking?");
    await visitor.close();
    await page.bringToFront();
    await page.evaluate(() => dispatchEvent(new Event("focus")));
    await page.getByText("3 enquiries, 2 new").waitFor();
  });

  test("the list is searched and filtered without a reload, and the export contains the listed enquiries", async () => {
    const page = portal();
    await page.getByLabel("Search").fill("parking");
    await page.getByText("1 of 3 enquiries, 1 new").waitFor();
    await page.getByLabel("Search").fill("");
    await page.getByLabel("Status", { exact: true }).selectOption("Called");
    await page.getByText("1 of 3 enquiries, 0 new").waitFor();
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export CSV" }).click();
    const file = await readFile(await (await download).path(), "utf8");
    expect(file).toMatch(/^\uFEFF"Received","Received, time",/);
    expect(file).toContain("Ben Moor");
    expect(file).not.toContain("Cy Beck");
    await page.getByLabel("Status", { exact: true }).selectOption("All");
  });

  test("a link that is followed while a filter reaches the URL is not lost", async () => {
    // The route stays until the window is closed: a request that is sent while the last route of a page is removed may never be answered.
    const window = await newQuietWindow(portal());
    await window.route("**/assets/bookings-*.js", async (route) => {
      // Longer than the pause in typing after which the filter reaches the URL.
      await delay(1500);
      await route.continue().catch(() => undefined);
    });
    await window.goto("/admin/enquiries");
    await window.getByLabel("Search").fill("Ada");
    await window.getByRole("button", { name: /^Book Ada Fell/ }).press("Enter");
    await window.waitForURL(/\/admin\/bookings\?enquiry=/);
    await focused(window, "name");
    await window.close();
    await portal().bringToFront();
  });

  test("the search of a page does not apply to the page that is opened next", async () => {
    const page = portal();
    await visit(page, "/admin/enquiries");
    await page.getByLabel("Search").fill("Ada");
    await page.getByText("1 of 3 enquiries").waitFor();
    // React shows the next page later than the pause in typing, as on a busy computer, but the URL changes at once.
    await page.evaluate((ms) => {
      const { prototype } = MessagePort;
      const { postMessage } = prototype;
      prototype.postMessage = function (this: MessagePort, message: unknown) {
        setTimeout(() => postMessage.call(this, message), location.pathname === "/admin/enquiries" ? 0 : ms);
      };
    }, 1000);
    await page.getByRole("navigation", { name: "Portal" }).getByRole("link", { name: "Bookings" }).click();
    await page.getByRole("heading", { level: 1, name: "Bookings" }).waitFor();
    expect(new URL(page.url()).search).toBe("");
    await expect.poll(() => page.getByLabel("Search").inputValue()).toBe("");
    await page.goto("/admin/enquiries");
  });

  test("an enquiry becomes a booking by keyboard, and each links to the other", async () => {
    const page = portal();
    await page.getByRole("button", { name: /^Book Ada Fell/ }).focus();
    await page.keyboard.press("Enter");
    await focused(page, "name");
    await page.getByText("When is the next one?").waitFor();
    await expect.poll(() => page.getByLabel("Name", { exact: true }).inputValue()).toBe("Ada Fell");
    expect(await page.getByLabel("E-mail").inputValue()).toBe("ada@mail.example");
    await choose(page, "Date", /CCTV, Mon 3 Mar 2031/);
    await page.getByLabel("Places", { exact: true }).fill("3");
    await page.keyboard.press("Enter");
    await page.getByText("Only 2 places are left on that date.").waitFor();
    await page.reload();
    await continueUnsaved(page);
    await expect.poll(() => page.getByLabel("Places", { exact: true }).inputValue()).toBe("3");
    await page.getByLabel("Places", { exact: true }).fill("1");
    await page.keyboard.press("Enter");
    await page.getByText("Booking added for Ada Fell:").waitFor();

    await page
      .getByRole("row", { name: /Ada Fell/ })
      .getByRole("link", { name: "From an enquiry" })
      .click();
    const enquiry = page.getByRole("region", { name: "Ada Fell", exact: true });
    await enquiry.getByText("When is the next one?").waitFor();
    await expect.poll(() => enquiry.getByLabel(/^Status of Ada Fell/).inputValue()).toBe("booked");
    await enquiry.getByRole("link", { name: "Booked for 3 Mar" }).click();
    await page.getByRole("heading", { name: /CCTV, Mon 3 Mar 2031/ }).waitFor();
  });

  test("after its booking is cancelled, an enquiry shows that and can be booked again", async () => {
    const page = portal();
    await staff.from("bookings").update({ status: "cancelled" }).eq("name", "Ada Fell");
    await visit(page, "/admin/enquiries");
    const row = page.getByRole("row", { name: /Ada Fell/ });
    await row.getByRole("link", { name: "Cancelled: 3 Mar" }).waitFor();
    await row.getByRole("button", { name: /^Book Ada Fell/ }).click();
    await expect.poll(() => page.getByLabel("Name", { exact: true }).inputValue()).toBe("Ada Fell");
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
  });

  test("a link to book an enquiry that does not exist any more shows a message", async () => {
    const page = portal();
    await visit(page, `/admin/bookings?enquiry=${crypto.randomUUID()}`);
    await page.getByText("This could not be opened.").waitFor();
  });

  test("a phone call is added as an enquiry and deleted again", async () => {
    const page = portal();
    await visit(page, "/admin/enquiries");
    await page.getByRole("button", { name: "New enquiry" }).click();
    await focused(page, "name");
    await page.keyboard.type("Dee Ghyll");
    await page.keyboard.press("Tab");
    await page.keyboard.type("her sister");
    await page.getByLabel("Question").fill("Ring after five.");
    await page.getByRole("button", { name: "Add enquiry" }).click();
    await page.getByText("Enter an e-mail address or a phone number").waitFor();
    await focused(page, "reply_to");
    await page.getByLabel("E-mail or phone").fill("01632 960 001");
    await page.keyboard.press("Enter");
    await page.getByText("Enquiry of Dee Ghyll added.").waitFor();

    await page.getByRole("button", { name: /^Delete Dee Ghyll/ }).click();
    await page.getByRole("dialog", { name: "Delete this enquiry?" }).getByRole("button", { name: "Delete" }).click();
    await page.getByText("Enquiry deleted.").waitFor();
    await page.getByRole("row", { name: /Dee Ghyll/ }).waitFor({ state: "detached" });
  });

  testScreen("the inbox", portal, async (page) => {
    await visit(page, "/admin/enquiries");
    await page.getByRole("button", { name: /^Note Ben Moor/ }).click();
    await page.getByRole("button", { name: "Save enquiry" }).waitFor();
  });

  testScreen("the form of a new enquiry", portal, async (page) => {
    await visit(page, "/admin/enquiries");
    await page.getByRole("button", { name: "New enquiry" }).click();
    await page.getByRole("button", { name: "Add enquiry" }).waitFor();
  });
});

/** Sends an enquiry as a visitor. */
async function sendEnquiry(page: Page, name: string, replyTo: string, course: string, message: string): Promise<void> {
  await page.goto("/enquiry");
  await page.getByLabel("Your name").fill(name);
  await page.getByLabel("E-mail or phone").fill(replyTo);
  if (course !== "") await page.locator("select[name=course]").selectOption(course);
  await page.locator("textarea[name=message]").fill(message);
  await page.locator("form[action='/enquiry'] button[type=submit]").click();
  await page.getByRole("heading", { name: "Thank you, we have your question" }).waitFor();
}

/** Gives an enquiry a status, unless it has that status, and waits until it is saved. */
async function setStatus(page: Page, name: string, status: string): Promise<void> {
  const select = page.getByLabel(new RegExp(`^Status of ${name}`));
  if ((await select.inputValue()) === status.toLowerCase()) return;
  await select.selectOption(status);
  await page.getByText(`${name}: ${status}`).waitFor({ state: "attached" });
}

function note(page: Page): Locator {
  return page.getByRole("textbox", { name: /^Note/ });
}
