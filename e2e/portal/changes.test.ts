import type { Locator } from "playwright-core";
import { describe, expect, test } from "vitest";
import { renderLate } from "../support/late-rendering.ts";
import { addDate, choose, continueUnsaved, deleteRow, openPortal, option, testScreen, visit } from "../support/portal.ts";
import { holdBack } from "../support/refuse-requests.ts";
import { richText } from "../support/posts.ts";

describe("undo and changes", () => {
  const portal = openPortal();

  test("a deleted date is restored from the message about its deletion", async () => {
    const page = portal();
    await addDate(page, "2031-03-03T09:00", 3);
    await visit(page, "/admin/courses");
    await deleteRow(page, /^Delete Lvl 2 CCTV, Monday 3 March 2031/);
    await page.getByText("Course deleted successfully!").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("Course restored.").waitFor();
    await page.getByRole("row", { name: /3 Mar 2031/ }).waitFor();
  });

  test("a record shows its own history with the values before and after, in its panel and on a page", async () => {
    const page = portal();
    await page.getByRole("button", { name: /^Edit Lvl 2 CCTV, Monday 3 March 2031/ }).click();
    await page.getByLabel("Capacity").fill("4");
    await page.getByRole("button", { name: "Save course date" }).click();
    await page.getByText("Course date saved.").waitFor();
    const panel = page.getByRole("region", { name: /^Lvl 2 CCTV/ });
    await page.getByRole("link", { name: /^Open Lvl 2 CCTV, Monday 3 March 2031/ }).click();
    await panel.getByRole("listitem").filter({ hasText: "Changed by jo@larkfell-training.example" }).getByText("Capacity").waitFor();
    await visit(page, "/admin/changes");
    await page
      .getByRole("link", { name: /^History of Lvl 2 CCTV/ })
      .first()
      .click();
    await page.getByText("The history of one record.").waitFor();
    await page.getByRole("row", { name: /Course changed.*jo@larkfell-training.example.*Capacity.*3.*4/s }).waitFor();
    // The rows of all records stay until the history is loaded.
    for (const act of ["added", "deleted", "restored"])
      await expect.poll(() => page.getByRole("row", { name: new RegExp(`Course ${act}`) }).count()).toBe(1);
  });

  test("a filter announces how many changes there are", async () => {
    const page = portal();
    await visit(page, "/admin/changes?kind=course_dates&from=2020-01-01&to=2020-01-02");
    await page.getByRole("status").filter({ hasText: "0 changes shown" }).waitFor();
    await page.getByLabel("From", { exact: true }).fill("");
    await page.getByLabel("To", { exact: true }).fill("");
    const shown = page.getByRole("status").filter({ hasText: /^[1-9]\d* changes shown$/ });
    await shown.waitFor();
    expect(await page.getByRole("row", { name: /^When|^\d/ }).count()).toBe(1 + Number.parseInt(await shown.innerText(), 10));
  });

  test("the address of a person without a name is in one line on a desktop screen", async () => {
    const page = portal();
    await page.setViewportSize({ width: 1280, height: 900 });
    await visit(page, "/admin/changes");
    const who = page.getByRole("link", { name: "jo@larkfell-training.example", exact: true }).last();
    const lines = (link: Element): number => {
      const text = document.createRange();
      text.selectNodeContents(link);
      return text.getClientRects().length;
    };
    expect(await who.evaluate(lines)).toBe(1);
  });

  test("a booking whose date was deleted is restored with its date, or on another one", async () => {
    const page = portal();
    await addDate(page, "2031-03-10T09:00", 2, { name: "Ada Fell" }, { name: "Ben Fell" });
    await visit(page, "/admin/bookings");
    for (const name of ["Ada Fell", "Ben Fell"]) {
      await deleteRow(page, new RegExp(`^Delete ${name}`));
      await page.getByText("Booking deleted.").waitFor();
      await page.getByRole("row", { name }).waitFor({ state: "detached" });
    }
    await visit(page, "/admin/courses");
    await deleteRow(page, /^Delete Lvl 2 CCTV, Monday 10 March 2031/);
    await page.getByText("Course deleted successfully!").waitFor();

    await visit(page, "/admin/changes");
    await page.getByRole("button", { name: /^Restore Ada Fell/ }).click();
    await page.getByText("Its date was deleted too.").waitFor();
    await choose(page, "Another date for Ada Fell, Lvl 2 CCTV, 10 Mar 2031, 09:00", /Mon 3 Mar 2031.*4 left/);
    const load = await holdBack(page, "waiting_list(id)");
    await page.reload();
    await continueUnsaved(page);
    load();
    await option(page, "Another date for Ada Fell, Lvl 2 CCTV, 10 Mar 2031, 09:00", /Mon 3 Mar 2031/).waitFor({ state: "attached" });
    expect(await page.getByLabel(/^Another date for Ada Fell/).inputValue()).not.toBe("");
    await page.getByRole("form").getByRole("button", { name: "Restore" }).click();
    await page.getByText("Booking restored.").waitFor();
    await page.getByRole("button", { name: /^Restore Lvl 2 CCTV, 10 Mar 2031/ }).click();
    await page.getByText("Course restored.").waitFor();
    await page.getByRole("button", { name: /^Restore Ben Fell/ }).click();
    await page.getByText("Booking restored.").waitFor();
    await visit(page, "/admin/bookings");
    await page.getByRole("row", { name: /Ada Fell.*3 Mar 2031/s }).waitFor();
    await page.getByRole("row", { name: /Ben Fell.*10 Mar 2031/s }).waitFor();
  });

  test("changes are filtered by kind, person and days, and the address contains the filter", async () => {
    const page = portal();
    await visit(page, "/admin/changes");
    await page.getByLabel("What", { exact: true }).selectOption("Booking");
    await page
      .getByRole("row", { name: /Booking restored/ })
      .first()
      .waitFor();
    await page
      .getByRole("row", { name: /Course/ })
      .filter({ hasText: "Course added" })
      .first()
      .waitFor({ state: "detached" });
    await page.getByLabel("Who", { exact: true }).selectOption("jo@larkfell-training.example");
    await page.waitForURL(/who=jo%40larkfell-training.example/);
    await page.getByLabel("From", { exact: true }).fill("2040-01-01");
    await page.getByText("No changes here...").waitFor();
    await page.reload();
    await page.getByText("No changes here...").waitFor();
    // A link to all changes has no day.
    await page.getByRole("link", { name: "History", exact: true }).first().click();
    await expect.poll(() => page.getByLabel("From", { exact: true }).inputValue()).toBe("");
    await page
      .getByRole("row", { name: /Ada Fell/ })
      .first()
      .waitFor();
  });

  test("a day keeps the digits that are typed while an earlier choice is shown late", async () => {
    const page = portal();
    await visit(page, "/admin/changes?to=2031-05-05");
    const to = page.getByLabel("To", { exact: true });
    const shown = (day: string) => page.locator(`main a[href*="to=${day}"]`).first().waitFor();
    await shown("2031-05-05");
    await to.focus();
    await renderLate(page, async () => {
      // The day and the month are equal, because their order in the field depends on the browser's language.
      await page.keyboard.type("060620");
      await shown("2031-06-06");
    });
    await page.keyboard.type("30");
    expect(await to.inputValue()).toBe("2030-06-06");
    await shown("2030-06-06");
  });

  test("changes name people by their display names", async () => {
    const page = portal();
    await visit(page, "/admin/profile");
    await page.getByLabel("Your name").fill("Jo Airey");
    await page.getByRole("button", { name: "Save name" }).click();
    await page.getByText("Name saved.").waitFor();
    await visit(page, "/admin/changes");
    await page
      .getByRole("row", { name: /Course changed.*Jo Airey/s })
      .first()
      .waitFor();
    expect(await page.getByRole("cell", { name: "jo@larkfell-training.example" }).count()).toBe(0);
    await page.getByLabel("Who", { exact: true }).selectOption("Jo Airey");
    await page.waitForURL(/who=jo%40larkfell-training.example/);
  });

  test("an earlier text of a post is restored from its history, which can be undone", async () => {
    const page = portal();
    await visit(page, "/admin/blog");
    await page.getByRole("button", { name: "New post" }).click();
    await page.getByLabel("Title").fill("Winter dates");
    await page.getByLabel("Author").fill("Jo");
    await richText(page).fill(`Bring a coat.${" It is cold on the fell.".repeat(6)}`);
    await richText(page).press("ControlOrMeta+A");
    await richText(page).press("ControlOrMeta+B");
    await page.getByLabel("Publish", { exact: true }).selectOption("Schedule for later");
    await page.getByRole("button", { name: "Schedule post" }).waitFor();
    await page.getByLabel("Publish", { exact: true }).selectOption("Now");
    await page.getByRole("button", { name: "Publish post" }).click();
    await page.getByText("Blog post added successfully!").waitFor();
    await page.getByRole("button", { name: "Edit Winter dates" }).click();
    await richText(page).fill("Bring a hat.");
    await page.getByRole("button", { name: "Save post" }).click();
    await page.getByText("Blog post saved successfully!").waitFor();
    await page.getByRole("link", { name: "History of Winter dates" }).click();
    const row = (hasText: RegExp): Locator => page.getByRole("row").filter({ hasText });
    const change = row(/Bring a coat\..*Bring a hat\./s);
    await change.locator("summary").click();
    await change.locator("strong", { hasText: "Bring a coat." }).waitFor();
    await change.getByRole("button", { name: /^Restore this text of Winter dates/ }).click();
    await page.getByText("The earlier text is restored.").waitFor();
    await row(/Bring a hat\..*Bring a coat\./s).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("The earlier text is restored.").waitFor();
    await expect.poll(() => row(/Bring a coat\..*Bring a hat\./s).count()).toBe(2);
  });

  testScreen("the list of changes", portal, async (page) => {
    await visit(page, "/admin/changes");
    await page.getByText("Details").first().click();
  });
});
