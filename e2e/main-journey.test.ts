import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closedDay } from "../site/app/time/closed-days.ts";
import { openPage } from "./support/browser.ts";
import { deployments, describeDeployments, type Deployment } from "./support/deployments.ts";
import { addDate, choose, enterPassword, tomorrow, visit } from "./support/portal.ts";
import { STAFF } from "./support/product.ts";
import { useBrowser } from "./support/shared-browser.ts";
import { startedDirectory } from "./support/started-directory.ts";
import { following, openLive, stopPolls } from "./support/windows.ts";

/** Console messages for the error responses that the journey causes on purpose, and for those that a busy machine causes. */
const EXPECTED = [
  /status of 400 .*\/auth\/v1\/token/,
  // The health check has a short timeout.
  /status of 503 .*\/health\b/,
  // A poll of the portal can arrive after its session has ended.
  /status of 40[13] .*\/(auth\/v1\/user|rest\/v1\/enquiries)/,
];

describeDeployments("the main journey", deployments, (deploy) => {
  const browser = useBrowser();
  let site: Deployment;
  /** A visitor without scripts, for what the server sends. */
  let visitor: Page;
  /** The window of a member of staff, which stays in the portal. */
  let page: Page;
  /** Another window of the person of `page`. */
  let other: Page;
  /** Resolves when `page` follows changes. */
  let joined: Promise<void>;
  const cleanup = new AsyncDisposableStack();
  const errors: string[] = [];

  beforeAll(async () => {
    const dataDir = cleanup.use(await startedDirectory());
    site = cleanup.adopt(await deploy(dataDir.path), (started) => started.stop());
    page = await openPage(browser(), { baseURL: site.url, reducedMotion: "no-preference" });
    other = await page.context().newPage();
    await stopPolls(other);
    listen(page);
    visitor = await openPage(browser(), { baseURL: site.url, javaScriptEnabled: false });
  });
  afterAll(() => cleanup.disposeAsync());

  /** Collects the errors of a page. */
  function listen(to: Page): void {
    to.on("console", (message) => {
      if (message.type() === "error") errors.push(`${message.text()} (${message.location().url})`);
    });
    to.on("pageerror", (error) => errors.push(error.message));
  }

  test("the product is live and ready", async () => {
    expect((await fetch(`${site.url}/health/live`)).status).toBe(200);
    const readiness = async (): Promise<unknown> => {
      const response = await fetch(`${site.url}/health/ready`);
      return [response.status, await response.json()];
    };
    await expect.poll(readiness).toMatchObject([200, { status: "pass" }]);
  });

  test("a visitor sees the seeded dates, and only those five working days from now or later", async () => {
    await visitor.goto("/");
    const shown = await boardDates(visitor);
    expect(shown.length).toBeGreaterThan(5);
    const cutoff = fiveWorkingDaysFrom(Temporal.Now.zonedDateTimeISO("Europe/London")).subtract({ minutes: 5 }).epochMilliseconds;
    for (const date of shown) expect(date).toBeGreaterThanOrEqual(cutoff);
    expect(shown).toEqual(shown.toSorted((a, b) => a - b));
  });

  test("a wrong password is refused with the service's message, and the typed text stays", async () => {
    await page.goto("/admin");
    await page.getByLabel("E-mail").fill(STAFF.email);
    await page.getByLabel("Password").fill("not this one");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("Invalid login credentials").waitFor();
    expect(await page.getByLabel("E-mail").inputValue()).toBe(STAFF.email);
  });

  test("staff sign in and see the dashboard", async () => {
    joined = following(page);
    await enterPassword(page);
    await page.getByRole("heading", { name: "Admin Dashboard" }).waitFor();
  });

  test("staff add a course date and the visitor sees it at the next load", async () => {
    const now = Temporal.Now.zonedDateTimeISO("Europe/London");
    // A whole number of weeks later, so that the day is on no weekend: the form asks about weekends, bank holidays and closures.
    let when = fiveWorkingDaysFrom(now).add({ weeks: 13 }).startOfDay().with({ hour: 10, minute: 15 });
    while (closedDay(when.toPlainDate().toString()) !== undefined) when = when.add({ weeks: 1 });
    await visit(page, "/admin/courses");
    await page.getByRole("button", { name: "Add course date" }).click();
    await page.getByLabel("Course type").selectOption("Lvl 2 CCTV");
    await page.getByLabel("Start date").fill(when.toPlainDate().toString());
    await page.getByLabel("Start time").fill(when.toPlainTime().toString({ smallestUnit: "minute" }));
    expect(await page.getByLabel("Capacity").inputValue()).toBe("12");
    await page.getByLabel("Description").fill("Added by the journey");
    await page.getByRole("form").getByRole("button", { name: "Add course date" }).click();
    await page.getByText("Course added successfully!").waitFor();

    const instant = when.epochMilliseconds;
    await visitor.goto("/");
    expect(await boardDates(visitor)).toContain(instant);
    await visitor.goto("/cctv");
    expect(await instants(visitor.locator("time[datetime]"))).toContain(instant);
  });

  test("staff delete it after confirming, and it disappears from the site", async () => {
    const row = page.getByRole("row").filter({ hasText: "Added by the journey" });
    await row.getByRole("button", { name: /^Delete/ }).click();
    await page.getByText("Are you sure you want to delete this course?").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("Course deleted successfully!").waitFor();
    await visitor.goto("/cctv");
    expect(await visitor.getByText("Added by the journey").count()).toBe(0);
  });

  test("staff publish a post and the visitor reads it at its slug", async () => {
    await visit(page, "/admin/blog");
    await page.getByRole("button", { name: "New post" }).click();
    await page.getByLabel("Title").fill("Ice & snow: what we do!");
    await page.getByLabel("Author").fill("Jo");
    await page.getByRole("button", { name: "Markdown" }).click();
    await page.getByLabel("Content").fill("Courses run **unless the pass is closed**.\n\n<script>alert(1)</script>");
    await page.getByRole("button", { name: "Publish" }).click();
    await page.getByText("Blog post added successfully!").waitFor();

    const response = await visitor.goto("/blog/ice-snow-what-we-do");
    expect(response?.status()).toBe(200);
    await visitor.getByRole("heading", { level: 1, name: "Ice & snow: what we do!" }).waitFor();
    await visitor.locator("strong", { hasText: "unless the pass is closed" }).waitFor();
    expect(await visitor.locator("article script").count()).toBe(0);
    await visitor.goto("/blog");
    await visitor.getByRole("link", { name: "Ice & snow: what we do!" }).first().waitFor();
  });

  test("an unknown slug has status 404 and a link to the blog", async () => {
    const response = await visitor.goto("/blog/nobody-wrote-this");
    expect(response?.status()).toBe(404);
    await visitor.getByText("Blog post not found").waitFor();
    await visitor.getByRole("link", { name: "Back to Blog" }).click();
    await visitor.waitForURL("**/blog");
  });

  test("the dashboard's statistics count a visitor's pages, and not those of signed-in staff", async () => {
    const userAgent = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36";
    await other.goto("/cctv");
    // With its own user agent this browser counts as a bot.
    const counted = await openPage(browser(), { baseURL: site.url, userAgent });
    listen(counted);
    for (const path of ["/", "/close-protection", "/close-protection"]) {
      const recorded = counted.waitForResponse((response) => response.url().endsWith("/record-page-view"));
      await counted.goto(path);
      expect((await recorded).status()).toBe(201);
    }
    const cookie = (await counted.context().cookies()).find(({ name }) => name === "visit_session");
    expect(cookie).toMatchObject({ sameSite: "Lax", path: "/" });
    await counted.context().close();

    await visit(page, "/admin");
    const panel = page.getByRole("region", { name: "Website Statistics" });
    await panel
      .getByRole("table", { name: "Most Viewed Pages" })
      .getByRole("row", { name: /Close Protection/ })
      .getByRole("cell", { name: "2", exact: true })
      .waitFor();
    // Signed-in staff visited this page.
    expect(await panel.getByRole("row", { name: /CCTV/ }).count()).toBe(0);
  });

  test("a booking that is taken in one window lowers the places in another one", async () => {
    await addDate(page, `${tomorrow()}T09:00`, 9);
    await openLive(other, "/admin/courses");
    await other.getByRole("link", { name: "9 left" }).waitFor();
    // The browser logs an error if a later test closes the connection before it is open.
    await joined;
    await visit(page, "/admin/bookings?new");
    await page.getByLabel("Name", { exact: true }).fill("Ada Fell");
    await choose(page, "Date", /Lvl 2 CCTV.*: 9 left/);
    await page.getByLabel("Places", { exact: true }).fill("2");
    await page.getByRole("button", { name: "Add booking" }).click();
    await other.getByRole("link", { name: "7 left" }).waitFor();
  });

  test("signing out shows the sign-in page in every window", async () => {
    await page.getByRole("button", { name: "Logout" }).click();
    for (const window of [page, other]) {
      await window.waitForURL("**/admin");
      await window.getByRole("button", { name: "Sign in" }).waitFor();
    }
  });

  test("no page logged an error to the browser's console", () => {
    expect(errors.filter((error) => !EXPECTED.some((expected) => expected.test(error)))).toEqual([]);
  });
});

/** The instants on the departure board, in milliseconds, top to bottom. */
function boardDates(page: Page): Promise<number[]> {
  return instants(page.getByRole("region", { name: "Next available courses" }).locator("time[datetime]"));
}

function instants(times: Locator): Promise<number[]> {
  return times.evaluateAll((all) => all.map((time) => Date.parse(time.getAttribute("datetime") ?? "")));
}

function fiveWorkingDaysFrom(start: Temporal.ZonedDateTime): Temporal.ZonedDateTime {
  let day = start;
  for (let left = 5; left > 0;) {
    day = day.add({ days: 1 });
    if (day.dayOfWeek <= 5) left -= 1;
  }
  return day;
}
