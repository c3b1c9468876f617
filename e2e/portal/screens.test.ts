import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { addDate, choose, clientOf, openPortal, testScreen } from "../support/portal.ts";

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

  test.for(["courses", "bookings", "enquiries", "blog"])(
    "the list of %s shows 15 rows on a desktop screen, with long texts",
    async (area) => {
      const page = portal();
      await fillLists(page);
      for (const width of [1280, 1920]) {
        await page.setViewportSize({ width, height: 900 });
        await page.goto(`/admin/${area}${area === "courses" ? "?words=lunch" : ""}`);
        await expect.poll(() => rowsOnScreen(page), { message: `${width} px` }).toBeGreaterThanOrEqual(15);
        expect(await rowHeights(page), `${width} px`).toSatisfy((heights: number[]) =>
          heights.every((height) => height >= 40 && height <= 44),
        );
        expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
      }
    },
  );

  test("the controls of a list are large enough for a finger on a phone, and the heading of a day stays in view", async () => {
    const page = portal();
    await page.setViewportSize({ width: 360, height: 900 });
    await page.goto("/admin/bookings");
    await page.getByRole("button", { name: /^Edit Learner 19/ }).scrollIntoViewIfNeeded();
    const heights = await page
      .getByRole("table", { name: "Bookings" })
      .locator("td a:visible, td button:visible")
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().height));
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
    expect((await page.getByRole("rowheader", { name: "Tue 4 Mar 2031" }).boundingBox())?.y).toBe(0);
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

/** Adds 20 records with long texts to each list, once. */
async function fillLists(page: Page): Promise<void> {
  const staff = await clientOf(page);
  const { data: dates } = await staff.from("course_dates").select("id").eq("description", LONG);
  if (dates?.length !== 0) return;
  const twenty = Array.from({ length: 20 }, (_, index) => index);
  const date = { course_name: "Safeguarding Awareness Training Level 1", course_date: "2031-03-04T09:00:00Z", capacity: 99 };
  const { data: added } = await staff
    .from("course_dates")
    .insert(
      twenty.map(() => ({ course_name: date.course_name, course_date: date.course_date, capacity: date.capacity, description: LONG })),
    )
    .select("id");
  const person = { phone: "07700 900123", email: "learner.of.a.long.name@subdomain.of.a.long.host.example" };
  const learners = twenty.map((n) => ({
    name: `Learner ${n}`,
    course_id: added?.[0]?.id,
    company: LONG,
    note: LONG,
    phone: person.phone,
    email: person.email,
  }));
  const enquiries = twenty.map((n) => ({
    name: `Learner ${n}`,
    reply_to: person.email,
    course_name: date.course_name,
    message: LONG.repeat(5),
  }));
  const posts = twenty.map((n) => ({ title: `${LONG} ${n}`, slug: `long-${n}`, author: "Jo", content: LONG }));
  const results = [
    await staff.from("bookings").insert(learners),
    await staff.from("enquiries").insert(enquiries),
    await staff.from("blog_posts").insert(posts),
  ];
  for (const { error } of results) if (error) throw error;
}

const LONG = "Bring lunch, a coat and stout shoes, because the afternoon is outside and there is no shop near";

/** The number of rows that are whole on the screen. */
function rowsOnScreen(page: Page): Promise<number> {
  return rows(page).evaluateAll((all) => all.filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length);
}

function rowHeights(page: Page): Promise<number[]> {
  return rows(page).evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
}

function rows(page: Page): Locator {
  return page.locator("main tbody tr:has(td)");
}
