import { beforeAll, describe, test } from "vitest";
import { addDate, choose, openPortal, testScreen } from "../support/portal.ts";

const DATE = /Lvl 2 CCTV, Monday 3 March 2031/.source;

describe("every screen", () => {
  const portal = openPortal();
  beforeAll(async () => {
    const page = portal();
    await addDate(page, "2031-03-03T09:00", "3");
    await page.goto("/admin/bookings?new");
    await page.getByLabel("Name", { exact: true }).fill("Ada Fell of the Very Long Name-Hughes");
    await choose(page, "Date", /Mon 3 Mar 2031/);
    await page.getByLabel("Phone").fill("07700 900 123");
    await page.getByLabel("E-mail").fill("ada.fell.of.the.very.long.name@subdomain.of.a.long.host.example");
    await page.getByLabel("Note").fill("Needs step-free access");
    await page.getByRole("button", { name: "Add booking" }).click();
    await page.getByText(/^Booking added for/).waitFor();
  });

  testScreen("the list of dates", portal, async (page) => {
    await page.goto("/admin/courses");
    await page.getByRole("row", { name: /3 Mar 2031/ }).waitFor();
  });

  testScreen("the repeating of a date", portal, async (page) => {
    await page.goto("/admin/courses");
    await page.getByRole("button", { name: new RegExp(`^Repeat ${DATE}`) }).click();
    await page.getByLabel("When").selectOption("On chosen days");
    await page.getByRole("button", { name: "Another day" }).click();
  });

  testScreen("the confirmation of a deletion", portal, async (page) => {
    await page.goto("/admin/courses");
    await page.getByRole("button", { name: new RegExp(`^Delete ${DATE}`) }).click();
    await page.getByRole("dialog").getByText("Are you sure you want to delete this course?").waitFor();
  });

  testScreen("the refusal to delete a date with bookings", portal, async (page) => {
    await page.goto("/admin/courses");
    await page.getByRole("button", { name: new RegExp(`^Delete ${DATE}`) }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText(/^Cannot delete this course/).waitFor();
  });

  testScreen("the list of bookings", portal, async (page) => {
    await page.goto("/admin/bookings");
    await page.getByRole("row", { name: /Ada Fell/ }).waitFor();
  });

  testScreen("one date with its bookings and all to move", portal, async (page) => {
    await page.goto("/admin/bookings");
    await choose(page, "Bookings of", /Mon 3 Mar 2031/);
    await page.getByText("Waiting list (nobody)").waitFor();
    await page.getByText("Move all to…").click();
  });

  testScreen("the register", portal, async (page) => {
    await page.goto("/admin/bookings");
    await choose(page, "Bookings of", /Mon 3 Mar 2031/);
    await page.getByRole("link", { name: "Printable register" }).click();
    await page.getByRole("rowheader", { name: /Ada Fell/ }).waitFor();
  });

  testScreen("the list of posts", portal, async (page) => {
    await page.goto("/admin/blog");
    await page
      .getByRole("row", { name: /What to pack/ })
      .first()
      .waitFor();
  });

  testScreen("an invitation", portal, async (page) => {
    await page.goto("/admin/staff");
    await page.getByRole("button", { name: "Invite" }).click();
  });

  testScreen("an empty list", portal, async (page) => {
    await page.goto("/admin/enquiries");
    await page.getByText("No enquiries here yet...").waitFor();
  });

  testScreen("a list that failed to load", portal, async (page) => {
    const refusal = { status: 400, json: { code: "XX000", message: "The index is broken", details: null, hint: null } };
    await page.route("**/rest/v1/course_dates*", (route) => route.fulfill(refusal));
    await page.goto("/admin/courses");
    await page.getByText("Error fetching course dates: The index is broken").waitFor();
    await page.unroute("**/rest/v1/course_dates*");
  });

  test("a list reports that the service cannot be reached, in readable words", async () => {
    const page = portal();
    await page.route("**/rest/v1/course_dates*", (route) => route.abort());
    await page.goto("/admin/courses");
    await page.getByText("Unexpected error fetching course dates. Please try again.").waitFor();
    await page.unroute("**/rest/v1/course_dates*");
  });

  testScreen("the login", portal, async (page) => {
    await page.goto("/admin");
    const logout = page.getByRole("button", { name: "Logout" });
    await logout
      .or(page.getByRole("button", { name: "Sign in" }))
      .first()
      .waitFor();
    if (await logout.isVisible()) await logout.click();
    await page.getByLabel("Password").fill("wrong");
    await page.getByLabel("E-mail").fill("jo@larkfell-training.example");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").waitFor();
  });
});
