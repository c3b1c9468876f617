import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { addDate, choose, clientOf, openPortal, showFilters, testScreen, visit } from "../support/portal.ts";

const DATE = /Lvl 2 CCTV, Monday 3 March 2031/.source;

describe("every screen", () => {
  const portal = openPortal();
  beforeAll(() =>
    addDate(portal(), "2031-03-03T09:00", 3, {
      name: "Ada Fell of the Very Long Name-Hughes",
      phone: "07700 900 123",
      email: "ada.fell.of.the.very.long.name@subdomain.of.a.long.host.example",
      note: "Needs step-free access",
    }),
  );

  // The pages alternate, because the router navigates only to another page.
  testScreen("the list of dates", portal, async (page) => {
    await visit(page, "/admin/courses");
    await page.getByRole("row", { name: /3 Mar 2031/ }).waitFor();
  });

  testScreen("the list of bookings", portal, async (page) => {
    await visit(page, "/admin/bookings");
    await page.getByRole("row", { name: /Ada Fell/ }).waitFor();
  });

  testScreen("the form that repeats a date", portal, async (page) => {
    await visit(page, "/admin/courses");
    await page.getByRole("button", { name: new RegExp(`^Repeat ${DATE}`) }).click();
    await page.getByLabel("When").selectOption("On chosen days");
    await page.getByRole("button", { name: "Another day" }).click();
  });

  testScreen("one date with its bookings and the form that moves them all", portal, async (page) => {
    await visit(page, "/admin/bookings");
    await choose(page, "Bookings of", /Mon 3 Mar 2031/);
    await page.getByText("Waiting list (nobody)").waitFor();
    await page.getByText("Move all to…").click();
  });

  testScreen("the confirmation of a deletion", portal, async (page) => {
    await visit(page, "/admin/courses");
    await page.getByRole("button", { name: new RegExp(`^Delete ${DATE}`) }).click();
    await page.getByRole("dialog").getByText("Are you sure you want to delete this course?").waitFor();
  });

  testScreen("the register", portal, async (page) => {
    await visit(page, "/admin/bookings");
    await choose(page, "Bookings of", /Mon 3 Mar 2031/);
    await page.getByRole("link", { name: "Printable register" }).click();
    await page.getByRole("rowheader", { name: /Ada Fell/ }).waitFor();
  });

  testScreen("the refusal to delete a date with bookings", portal, async (page) => {
    await visit(page, "/admin/courses");
    await page.getByRole("button", { name: new RegExp(`^Delete ${DATE}`) }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText(/^Cannot delete this course/).waitFor();
  });

  testScreen("the signing sheet of a course of eight days", portal, async (page) => {
    await visit(page, await registerOf(page, "Lvl 2 Door Supervisor"));
    await page.getByRole("link", { name: "Signing sheet" }).click();
    await page.getByRole("heading", { name: "Signing sheet" }).waitFor();
  });

  test("the signing sheet has no private data, the trainer’s copy no payment, and the register both", async () => {
    const page = portal();
    await page.goto(await registerOf(page, "Lvl 2 CCTV"));
    const table = page.getByRole("table", { name: "Participants" });
    const own = ["No.", "Name", "Company", "Phone", "Payment", "Note", "Identity checked"];
    const heads = async (): Promise<string[]> => (await table.getByRole("columnheader").allInnerTexts()).slice(0, own.length);
    await table.getByRole("rowheader", { name: /Ada Fell/ }).waitFor();
    expect(await heads()).toEqual(own);
    expect(await table.getByText("07700 900 123").count()).toBe(1);
    expect(await table.getByText("Blank line").count()).toBe(4);
    expect(await page.locator("dl").first().innerText()).toMatch(
      /Mon 3 Mar to Fri 7 Mar 2031 \(5 days\).*09:00 to 17:00.*Penrith.*nobody yet/s,
    );

    await page.getByRole("link", { name: "Trainer’s copy" }).click();
    await page.getByRole("heading", { name: "Trainer’s copy" }).waitFor();
    expect((await heads()).slice(0, 6)).toEqual(["No.", "Name", "Company", "Phone", "Note", "Identity checked"]);

    await page.getByRole("link", { name: "Signing sheet" }).click();
    await page.getByRole("heading", { name: "Signing sheet" }).waitFor();
    expect((await heads()).slice(0, 4)).toEqual(["No.", "Name", "Company", "Identity checked"]);
    expect(await page.getByRole("main").innerText()).not.toMatch(/07700|@|Needs step-free|Not paid|Paid/);
  });

  test.for(["register", "signing", "trainer"])("the sheet %s of eight days fits the width of a sheet of paper", async (sheet) => {
    const page = portal();
    await page.goto(`${await registerOf(page, "Lvl 2 Door Supervisor")}?sheet=${sheet}`);
    await page.getByRole("table", { name: "Participants" }).waitFor();
    await page.emulateMedia({ media: "print" });
    // A4 landscape without the margins of 10 mm: 277 mm.
    await page.setViewportSize({ width: 1047, height: 718 });
    const { table, columns, link } = await page.evaluate(() => ({
      table: document.querySelector("table")?.getBoundingClientRect().right ?? Infinity,
      columns: [...document.querySelectorAll("tbody tr:first-child td:nth-last-child(-n+16)")].map(
        (cell) => cell.getBoundingClientRect().width,
      ),
      link: [...document.querySelectorAll("main a, main button")].filter((each) => each.checkVisibility()).length,
    }));
    expect(table).toBeLessThanOrEqual(1047);
    // A box of less than 6 mm is too small to write in.
    expect(Math.min(...columns)).toBeGreaterThan(22);
    expect(link).toBe(0);
    await page.emulateMedia({ media: "screen" });
  });

  testScreen("the list of posts", portal, async (page) => {
    await visit(page, "/admin/blog");
    await page
      .getByRole("row", { name: /What to pack/ })
      .first()
      .waitFor();
  });

  testScreen("an empty list", portal, async (page) => {
    await visit(page, "/admin/enquiries");
    await page.getByText("No enquiries here yet...").waitFor();
  });

  testScreen("a list that failed to load", portal, async (page) => {
    await page.route("**/rest/v1/course_dates*", (route) => route.continue({ url: `${route.request().url()}&no_column=eq.1` }));
    await visit(page, "/admin/courses");
    await page.getByText("Error fetching course dates: column course_dates.no_column does not exist").waitFor();
    await page.unroute("**/rest/v1/course_dates*");
  });

  test.for(["courses", "bookings", "enquiries", "blog"])(
    "the list of %s shows 15 rows on a desktop screen, with long texts",
    async (area) => {
      const page = portal();
      await fillLists(page);
      await visit(page, `/admin/${area}${area === "courses" ? "?words=lunch" : ""}`);
      for (const width of [1280, 1920]) {
        await page.setViewportSize({ width, height: 900 });
        await expect.poll(() => rowsOnScreen(page), { message: `${width} px` }).toBeGreaterThanOrEqual(15);
        await expect
          .poll(async () => (await rowHeights(page)).filter((height) => height < 40 || height > 44), { message: `${width} px` })
          .toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
      }
    },
  );

  test("a row of the bookings shows a long name, phone, WhatsApp and e-mail, none of them cut off", async () => {
    const page = portal();
    await page.setViewportSize({ width: 1280, height: 900 });
    const staff = await clientOf(page);
    const { data } = await staff.from("course_dates").select("id").limit(1).single();
    const learner = {
      name: "Una Thornthwaite Cragg-Fell",
      course_id: data?.id,
      phone: "07700 900199",
      email: "una.crag@mail.example",
      payment_status: "due",
    };
    const { error } = await staff.from("bookings").insert(learner);
    if (error) throw error;
    await visit(page, "/admin/bookings?words=una+thorn");
    const row = page.getByRole("row", { name: /Una Thornthwaite/ });
    const end = async (part: Locator): Promise<number[]> => {
      const box = await part.boundingBox();
      return [(box?.x ?? NaN) + (box?.width ?? 0), (box?.y ?? NaN) + (box?.height ?? 0)];
    };
    for (const label of [`Open ${learner.name}`, learner.phone, `WhatsApp to ${learner.name}`, learner.email]) {
      const link = page.getByRole("link", { name: label });
      const [[right = NaN, bottom = NaN], [edge = NaN, floor = NaN]] = [
        await end(link),
        await end(row.getByRole("cell").filter({ has: link })),
      ];
      expect([right <= edge, bottom <= floor], label).toEqual([true, true]);
    }
  });

  test.for([
    ["bookings", "Bookings of"],
    ["enquiries", "Show"],
    ["letters", "Show"],
  ] as const)("the choice of the listed %s shows its whole label", async ([area, label]) => {
    const page = portal();
    await visit(page, `/admin/${area}`);
    await page.getByLabel(label, { exact: true }).waitFor({ state: "attached" });
    for (const width of [360, 768, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await showFilters(page);
      const spare = await page.getByLabel(label, { exact: true }).evaluate((select: HTMLSelectElement) => {
        const text = document.createElement("span");
        text.textContent = select.selectedOptions[0]?.text ?? "";
        text.style.cssText = "position: absolute; white-space: nowrap";
        select.after(text);
        text.style.font = getComputedStyle(select).font;
        const { paddingLeft, paddingRight } = getComputedStyle(select);
        const spareWidth = select.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - text.offsetWidth;
        text.remove();
        return spareWidth;
      });
      // The arrow takes 20 px.
      expect(spare, `${width} px`).toBeGreaterThan(20);
    }
  });

  test("the controls of a list are large enough for a finger on a phone, and the heading of a day stays in view", async () => {
    const page = portal();
    await page.setViewportSize({ width: 360, height: 900 });
    await visit(page, "/admin/bookings");
    await page.getByRole("button", { name: /^Edit Learner 19/ }).scrollIntoViewIfNeeded();
    const heights = await page
      .getByRole("table", { name: "Bookings" })
      .locator("td a:visible, td button:visible")
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().height));
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
    await expect.poll(async () => (await page.getByRole("rowheader", { name: "Tue 4 Mar 2031" }).boundingBox())?.y).toBe(0);
  });

  testScreen("the sign-in page", portal, async (page) => {
    await visit(page, "/admin");
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

/** The path of the register of a course date in 2031; a date of the course is added if there is none. */
async function registerOf(page: Page, course_name: string): Promise<string> {
  const staff = await clientOf(page);
  const { data: found } = await staff.from("course_dates").select("id").eq("course_name", course_name).gte("course_date", "2031-01-01");
  const date = { course_name, course_date: "2031-04-01T08:00:00Z" };
  const { data } = found?.length ? { data: found } : await staff.from("course_dates").insert(date).select("id");
  return `/admin/courses/${data?.[0]?.id}/register`;
}

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
  const results = [await staff.from("enquiries").insert(enquiries), await staff.from("blog_posts").insert(posts)];
  // One by one: on a busy machine all at once, with their letters, could exceed the time limit of a statement.
  for (const learner of learners) results.push(await staff.from("bookings").insert(learner));
  for (const { error } of results) if (error) throw error;
}

const LONG = "Bring lunch, a coat and stout shoes, because the afternoon is outside and there is no shop near";

/** The number of rows that are completely on the screen. */
function rowsOnScreen(page: Page): Promise<number> {
  return rows(page).evaluateAll((all) => all.filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length);
}

function rowHeights(page: Page): Promise<number[]> {
  return rows(page).evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
}

function rows(page: Page): Locator {
  return page.locator("main tbody tr:has(td)");
}
