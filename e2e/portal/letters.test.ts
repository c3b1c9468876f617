import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { addDate, choose, focused, openPortal, testScreen, visit } from "../support/portal.ts";
import { startSiteWithMail, type SiteWithMail } from "../support/site-with-mail.ts";

describe("letters", () => {
  const portal = openPortal(async (dataDir) => (site = await startSiteWithMail(dataDir)));
  let site: SiteWithMail;
  let page: Page;

  beforeAll(async () => {
    page = portal();
    await addDate(page, "2031-03-03T09:00", 3);
  });

  /** Presses a button with the keyboard. */
  async function press(name: string | RegExp, exact = false): Promise<void> {
    await page.getByRole("button", { name, exact }).first().focus();
    await page.keyboard.press("Enter");
  }

  test("a booking with an e-mail address waits in the outbox, and its letter has the text that staff wrote, by keyboard", async () => {
    await visit(page, "/admin/bookings?new");
    await focused(page, "name");
    await page.keyboard.type("Ada Fell");
    await choose(page, "Date", /Mon 3 Mar 2031/);
    await page.getByLabel("E-mail").focus();
    await page.keyboard.type("ada@mail.example");
    await page.keyboard.press("Enter");
    await page.getByText("Booking added for Ada Fell:").waitFor();

    await page.getByRole("link", { name: "Letters", exact: true }).first().focus();
    await page.keyboard.press("Enter");
    await page.getByRole("row", { name: /Ada Fell.*Booking confirmation.*Waiting/s }).waitFor();
    expect(site.smtp.received).toEqual([]);

    await page.getByRole("link", { name: "Templates" }).focus();
    await page.keyboard.press("Enter");
    await press("Edit Booking confirmation");
    await focused(page, "sending");
    const subject = page.getByLabel("Subject");
    await subject.fill("Booked: {cource}");
    await subject.press("Enter");
    await page.getByRole("alert").getByText("{cource} is not a field of this letter.").waitFor();
    await focused(page, "subject");
    await subject.fill("Booked: {course} for {name}");
    const preview = page.getByRole("region", { name: "Preview" });
    await preview.getByText("Booked: Door Supervisor for Alex Example").waitFor();
    await choose(page, "Preview with", /^Ada Fell/);
    await preview.getByText("Booked: CCTV Operator for Ada Fell").waitFor();
    await preview.getByText(/Date: Monday 3 March 2031/).waitFor();
    await choose(page, "Without an e-mail address", /^Text message/);
    await page.getByLabel("Text message (optional)").fill("See you at {time}.");
    await preview.getByRole("heading", { name: "Text message, 26 characters" }).waitFor();
    await subject.press("Enter");
    await page.getByText("Booking confirmation saved.").waitFor();

    await page.getByRole("link", { name: "Outbox" }).focus();
    await page.keyboard.press("Enter");
    await press(/^Open Booking confirmation to Ada Fell/);
    const letter = page.getByRole("dialog", { name: "Booked: CCTV Operator for Ada Fell" });
    await letter.getByText(/Your booking for CCTV Operator is confirmed/).waitFor();
    expect(await letter.getByRole("link", { name: "Open in mail program" }).getAttribute("href")).toMatch(
      /^mailto:ada@mail\.example\?subject=Booked%3A%20CCTV/,
    );
    await page.keyboard.press("Escape");
    await page
      .getByRole("button", { name: /^Open Booking confirmation to Ada Fell/ })
      .and(page.locator(":focus"))
      .waitFor();
    await press(/^Send now Booking confirmation to Ada Fell/);
    await page.getByRole("row", { name: /Ada Fell.*Booking confirmation.*Sent/s }).waitFor();
    expect(site.smtp.received.map(({ to }) => to)).toEqual(["ada@mail.example"]);
    expect(site.smtp.received[0]?.raw).toMatch(/^Subject: Booked: CCTV Operator for Ada Fell\r$/m);
    expect(site.smtp.received[0]?.raw).toContain("Dear Ada Fell,");
  });

  test("the booking lists its letters, and a default text can be restored", async () => {
    await visit(page, "/admin/bookings");
    await press(/^Edit Ada Fell/);
    await page.getByText(/^Booking confirmation: sent/).waitFor();
    await page.getByRole("link", { name: "Open the letters" }).click();
    await page.getByText("The letters of one booking.").waitFor();
    await visit(page, "/admin/letters?show=templates");
    const edit = page.getByRole("button", { name: "Edit Booking confirmation" });
    for (const close of [() => page.keyboard.press("Escape"), () => press("Cancel", true)]) {
      await edit.press("Enter");
      await focused(page, "sending");
      await close();
      await edit.and(page.locator(":focus")).waitFor();
    }
    await press("Restore default Booking confirmation");
    await page.getByRole("dialog").getByRole("button", { name: "Restore default" }).click();
    await page.getByText("Booking confirmation: the default text is restored.").waitFor();
  });

  test("letters that are selected are stopped together", async () => {
    await visit(page, "/admin/letters?when=all");
    await page.getByRole("checkbox", { name: /Booking confirmation to Ada Fell/ }).press("Space");
    await page.getByText("Only letters that wait or failed can be sent or stopped.").waitFor();
    await page.getByRole("checkbox", { name: /Reminder, 7 days before to Ada Fell/ }).press("Space");
    await press("Do not send 1 letter");
    await page.getByText("1 letter stopped.").waitFor();
    await page.getByRole("row", { name: /Ada Fell.*Reminder, 7 days before.*Stopped by staff/s }).waitFor();
  });

  testScreen("the outbox with a selected letter", portal, async () => {
    await visit(page, "/admin/letters?when=all");
    await page.getByRole("checkbox", { name: /Booking confirmation to Ada Fell/ }).check();
  });

  testScreen("a template with its preview", portal, async () => {
    await visit(page, "/admin/letters?show=templates");
    await page.getByRole("button", { name: "Edit Booking confirmation" }).click();
    await page.getByRole("region", { name: "Preview" }).waitFor();
  });

  testScreen("a letter", portal, async () => {
    await visit(page, "/admin/letters?when=all");
    await page.getByRole("button", { name: /^Open Booking confirmation/ }).click();
    await page.getByRole("dialog").waitFor();
  });
});
