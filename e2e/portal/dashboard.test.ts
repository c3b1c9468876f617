import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { beforeAll, describe, expect, test } from "vitest";
import { addDate, openPortal, testScreen, tomorrow, visit } from "../support/portal.ts";
import { STAFF_ENV, startProcess } from "../support/product.ts";
import { newQuietWindow } from "../support/windows.ts";

const SECRET_KEY = "sb_secret_backups-0123456789abcdef";
/** The request for the dates with unpaid bookings. */
const UNPAID_REQUEST = /\/rest\/v1\/course_dates\?.*bookings(?:!|%21)inner/;

let service: SupabaseClient;
const portal = openPortal(async (dataDir) => {
  const site = await startProcess("server/build/site.js", { DATA_DIR: dataDir, SECRET_KEY, ...STAFF_ENV });
  service = createClient(site.url, SECRET_KEY, { auth: { persistSession: false } });
  return { url: site.url, stop: async () => void (await site.stop()) };
});

describe("the dashboard", () => {
  let soon: string;
  beforeAll(() => {
    soon = `${tomorrow()}T09:00`;
  });

  test("the dashboard begins with the next seven days, and with what to do now", async () => {
    const page = portal();
    await addDate(page, soon, 9, { name: "Ada Fell" });
    await page.goto("/enquiry");
    await page.getByLabel("Your name").fill("Ben Moor");
    await page
      .getByLabel(/e-mail|phone/i)
      .first()
      .fill("ben@mail.example");
    await page
      .getByLabel(/message|question/i)
      .first()
      .fill("When is the next one?");
    await page.getByRole("button", { name: /send/i }).click();
    await page.waitForURL("**/enquiry/thanks");

    await visit(page, "/admin");
    await page.getByRole("region", { name: "The next seven days" }).getByText("Ada Fell").waitFor();
    await page
      .getByRole("region", { name: /Not paid yet/ })
      .getByText("Ada Fell")
      .waitFor();
    await page
      .getByRole("region", { name: /New enquiries/ })
      .getByText("Ben Moor")
      .waitFor();
    await page
      .getByRole("region", { name: /Confirm or cancel/ })
      .getByText("1 of 9 taken")
      .waitFor();
    const headings = await page.getByRole("heading", { level: 2 }).allInnerTexts();
    expect(headings.findIndex((text) => text.startsWith("Confirm or cancel"))).toBeLessThan(headings.indexOf("Website Statistics"));
  });

  test.each([
    ["Not paid yet", "Ada Fell", "1 booking, 1 active place"],
    ["New enquiries", "Ben Moor", "When is the next one?"],
    ["The next seven days", "Lvl 2 CCTV", "8 of 9 places left"],
  ])("the entries of %s link to the right page", async (part, name, there) => {
    const page = portal();
    await visit(page, "/admin");
    await page
      .getByRole("region", { name: new RegExp(part) })
      .getByRole("link", { name })
      .first()
      .click();
    await page.getByText(there).first().waitFor();
  });

  test("the number of unpaid bookings of a date links to them, and one list contains all unpaid bookings", async () => {
    const page = portal();
    await visit(page, "/admin");
    await page.getByRole("link", { name: "1 not paid" }).click();
    await page.getByRole("row", { name: /Ada Fell/ }).waitFor();
    await visit(page, "/admin/bookings?when=unpaid");
    await page.getByRole("row", { name: /Ada Fell/ }).waitFor();
    await expect.poll(() => page.getByLabel("Bookings of").inputValue()).toBe("unpaid");
  });

  test("a failure in one part does not affect the others, and the part can be retried", async () => {
    const page = await newQuietWindow(portal());
    await page.route(UNPAID_REQUEST, (route) => route.continue({ url: `${route.request().url()}&no_column=eq.1` }));
    await visit(page, "/admin");
    await page
      .getByRole("region", { name: /Not paid yet/ })
      .getByText("no_column does not exist")
      .waitFor();
    await page.getByRole("region", { name: "The next seven days" }).getByText("Ada Fell").waitFor();
    await page.getByRole("region", { name: "Website Statistics" }).getByText("Unique Visitors").waitFor();
    await page.unroute(UNPAID_REQUEST);
    await page
      .getByRole("region", { name: /Not paid yet/ })
      .getByRole("button", { name: "Try Again" })
      .click();
    await page
      .getByRole("region", { name: /Not paid yet/ })
      .getByText("Ada Fell")
      .waitFor();
    await page.close();
  });

  // An error that is not caught fails the suite.
  test("a connection lost while the statistics load shows the failure, and Try Again loads them", async () => {
    const page = portal();
    await page.route("**/get-website-stats**", (route) => route.abort());
    await page.route("**/health", (route) => route.fulfill({ body: '{"disk"', contentType: "application/json" }));
    await visit(page, "/admin");
    const statistics = page.getByRole("region", { name: "Website Statistics" });
    await statistics.getByText("Failed to fetch website stats: the service could not be reached").waitFor();
    await page.unroute("**/health");
    await page.unroute("**/get-website-stats**");
    await statistics.getByRole("button", { name: "Try Again" }).click();
    await statistics.getByText("Unique Visitors").waitFor();
  });

  testScreen("the dashboard", portal, async (page) => {
    await visit(page, "/admin");
    await page
      .getByRole("region", { name: /Not paid yet/ })
      .getByText("Ada Fell")
      .waitFor();
    await page.getByText("Unique Visitors").waitFor();
  });
});

describe("the line about backups on the dashboard", () => {
  let night: string;

  async function end(result: { row_count: number } | { problem: string }): Promise<void> {
    const { error } = await service.rpc("end_backup_check", { night, ...result });
    expect(error).toBeNull();
  }

  test("shows an owner that no backup is set up", async () => {
    await portal().goto("/admin");
    await portal().getByText("No backup is set up.").waitFor();
  });

  test("shows when the last backup was checked, and its rows", async () => {
    night = (await service.rpc("begin_backup_check")).data;
    await end({ row_count: 4812 });
    await portal().goto("/admin");
    await portal()
      .getByText(/^Backup checked \d\d:\d\d, 4,812 rows$/)
      .waitFor();
  });

  test("shows that the last backup failed, before everything else", async () => {
    await end({ problem: "damaged" });
    await portal().goto("/admin");
    const alert = portal().getByRole("main").getByRole("alert");
    await alert.getByText(/^The backup of \w+ \d+ \w+ \d{4} failed because the backup is damaged\. Please tell/).waitFor();
    const first = await portal()
      .getByRole("main")
      .evaluate((main) => main.querySelector("[role=alert], section")?.getAttribute("role"));
    expect(first).toBe("alert");
    expect(await portal().getByText("Backup checked").count()).toBe(0);
  });

  testScreen("the dashboard with a failed backup", portal, async (page) => {
    await visit(page, "/admin");
    await page.getByRole("main").getByRole("alert").waitFor();
    await page.getByText("Unique Visitors").waitFor();
  });
});
