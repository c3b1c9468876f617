import { beforeAll, describe, expect, test } from "vitest";
import { addDate, openPortal, testScreen, tomorrow, visit } from "../support/portal.ts";
import { newQuietWindow } from "../support/windows.ts";

/** The request for the dates with unpaid bookings. */
const UNPAID_REQUEST = /\/rest\/v1\/course_dates\?.*bookings(?:!|%21)inner/;

describe("today", () => {
  let soon: string;
  beforeAll(() => {
    soon = `${tomorrow()}T09:00`;
  });
  const portal = openPortal();

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

  test("the number of unpaid bookings of a date opens them; all of them have a list", async () => {
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
    await page.route(UNPAID_REQUEST, (route) => route.fulfill({ status: 500, json: { code: "XX000", message: "out of order" } }));
    await visit(page, "/admin");
    await page
      .getByRole("region", { name: /Not paid yet/ })
      .getByText("out of order")
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
