import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { browserOf, openPage } from "../support/browser.ts";
import { addDate, continueUnsaved, enterPassword, openPortal, signIn, testScreen, visit } from "../support/portal.ts";

const SCRIPTS = "**/assets/*.js";
/** A path that responds when a test releases it. */
const RELEASED = "/released-by-the-test";

const portal = openPortal();

describe("the sign-in page", () => {
  let visitor: Page;
  beforeAll(async () => {
    visitor = await openPage(browserOf(portal()), { baseURL: new URL(portal().url()).origin, bypassCSP: true });
  });

  test("is shown before its scripts arrive, and cannot be sent until then", async () => {
    await visitor.route(SCRIPTS, () => undefined);
    await visitor.goto("/admin", { waitUntil: "commit" });
    await visitor.getByLabel("E-mail").fill("jo");
    expect(await visitor.getByRole("button", { name: "Sign in" }).isDisabled()).toBe(true);
    await visitor.unroute(SCRIPTS);
  });

  test("is not shown to a signed-in person while the portal loads", async () => {
    const page = await portal().context().newPage();
    await page.route(SCRIPTS, () => undefined);
    await page.goto("/admin", { waitUntil: "domcontentloaded" });
    await page.getByText("Loading your session…").waitFor();
    expect(await page.getByLabel("E-mail").isVisible()).toBe(false);
    expect(await page.getByRole("heading", { name: "Admin Login" }).isVisible()).toBe(false);
    await page.close();
  });

  test("keeps input that was typed before its script ran, and loads no router before somebody signs in", async () => {
    const requested: string[] = [];
    visitor.on("request", (request) => requested.push(request.url()));
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await visitor.route("**/assets/sign-in.island-*.js", async (route) => {
      await released;
      await route.continue();
    });
    await visitor.goto("/admin", { waitUntil: "commit" });
    await visitor.getByLabel("E-mail").fill("jo@");
    expect(requested.filter((url) => url.includes("/react-router-"))).toEqual([]);
    // The server renders the link without React Router, as the island does.
    const link = visitor.getByRole("link", { name: "Forgotten your password?" });
    expect(await link.getAttribute("data-discover")).toBeNull();
    release();
    await visitor.getByRole("button", { name: "Sign in" }).and(visitor.locator(":enabled")).waitFor();
    expect(await visitor.getByLabel("E-mail").inputValue()).toBe("jo@");
    await visitor.getByRole("button", { name: "Show password" }).click();
    await visitor.getByRole("button", { name: "Hide password" }).waitFor();
  });

  test("opens the dashboard when somebody signs in in another tab", async () => {
    const context = await browserOf(portal()).newContext({ baseURL: new URL(portal().url()).origin });
    const first = await context.newPage();
    await first.goto("/admin");
    await first.getByRole("button", { name: "Sign in" }).and(first.locator(":enabled")).waitFor();
    const second = await context.newPage();
    await signIn(second);
    await second.getByRole("heading", { name: "Admin Dashboard" }).waitFor();
    await first.getByRole("heading", { name: "Admin Dashboard" }).waitFor();
    await context.close();
  });

  test("is part of the portal if a session has expired, and signs in there too", async () => {
    const page = await openPage(browserOf(portal()), { baseURL: new URL(portal().url()).origin });
    await page.addInitScript(() => localStorage.setItem(`sb-${location.hostname.split(".")[0]}-auth-token`, "{}"));
    await page.goto("/admin");
    await enterPassword(page);
    await page.getByRole("heading", { name: "Admin Dashboard" }).waitFor();
    await page.context().close();
  });

  testScreen(
    "the sign-in page",
    () => visitor,
    async (page) => {
      await page.goto("/admin");
      await page.getByRole("button", { name: "Sign in" }).and(page.locator(":enabled")).waitFor();
    },
  );
});

describe("the session", () => {
  beforeAll(() => addDate(portal(), "2031-03-03T09:00", 9, { name: "Ada Fell" }));

  test("an unsaved form is restored after signing out in another tab and signing in again", async () => {
    const page = portal();
    await visit(page, "/admin/courses");
    await page.getByRole("button", { name: "Add course date" }).click();
    await field(page, "Description").fill("Bring a coat");
    await signOutElsewhere(page);
    await page.getByText("Your unsaved input stays in this tab").waitFor();
    await enterPassword(page);
    await page.getByRole("button", { name: "Logout" }).waitFor();
    await visit(page, "/admin/courses");
    await continueUnsaved(page);
    await expect.poll(() => field(page, "Description").inputValue()).toBe("Bring a coat");
    await page.getByRole("form").getByRole("button", { name: "Clear" }).click();
  });

  test.each([1, 2, 3])(
    "a tab that is loading while another one signs out shows the sign-in page: busy after read %i of the session",
    async (busyAfter) => {
      const page = portal();
      const loading = await page.context().newPage();
      await loading.addInitScript(stayBusy, { busyAfter, until: RELEASED });
      let release = (): void => undefined;
      const isBusy = new Promise<void>((resolve) => {
        void loading.route(`**${RELEASED}`, (route) => {
          release = () => void route.fulfill();
          resolve();
        });
      });
      await visit(page, "/admin/courses");
      await page.getByRole("button", { name: "Add course date" }).waitFor();
      await loading.goto("/admin/bookings", { waitUntil: "commit" });
      await isBusy;
      await page.getByRole("button", { name: "Logout" }).click();
      await page.getByRole("button", { name: "Sign in" }).waitFor();
      release();
      await loading.getByRole("button", { name: "Sign in" }).waitFor();
      await loading.close();
      await enterPassword(page);
      await page.getByRole("heading", { name: "Admin Dashboard" }).waitFor();
    },
  );

  test("sign-in opens the requested page with its query, and the dashboard after a logout", async () => {
    const page = portal();
    await visit(page, "/admin/bookings?when=all&words=fell");
    await page.getByRole("row", { name: /Ada Fell/ }).waitFor();
    await page.getByRole("button", { name: "Logout" }).click();
    await page.getByLabel("E-mail").waitFor();
    await page.goto("/admin/bookings?when=all&words=fell");
    await page.waitForURL("**/admin");
    await enterPassword(page);
    await page.waitForURL("**/admin/bookings?when=all&words=fell");
    await page.getByRole("row", { name: /Ada Fell/ }).waitFor();
    await page.getByRole("button", { name: "Logout" }).click();
    await page.waitForURL("**/admin");
    await enterPassword(page);
    await page.getByRole("heading", { name: "Admin Dashboard" }).waitFor();
  });

  test("a logout whose response is slow does not navigate away from the next page", async () => {
    const page = portal();
    await visit(page, "/admin/bookings");
    let answer = (): void => undefined;
    await page.route("**/auth/v1/logout?*", (route) => {
      answer = () => void route.continue();
    });
    await page.getByRole("button", { name: "Logout" }).click();
    await page.getByRole("link", { name: "Forgotten your password?" }).click();
    await page.getByText("Ask a colleague to send you a new link, under Staff.").waitFor();
    const answered = page.waitForResponse("**/auth/v1/logout?*");
    answer();
    await (await answered).finished();
    await page.unroute("**/auth/v1/logout?*");
    // A navigation after the response would be done before the next frame.
    await page.evaluate(() => new Promise(requestAnimationFrame));
    expect(new URL(page.url()).pathname).toBe("/admin/password");
    await signIn(page);
    await page.getByRole("heading", { name: "Admin Dashboard" }).waitFor();
  });

  test("Back keeps the search and the filters of a list and the period of the statistics", async () => {
    const page = portal();
    await visit(page, "/admin/bookings");
    await page.getByLabel("Search").fill("mon fell");
    await page.getByLabel("Payment", { exact: true }).selectOption("Not paid");
    await page.waitForURL("**/admin/bookings?words=mon+fell&payment=due");
    await page.getByRole("navigation", { name: "Portal" }).getByRole("link", { name: "Calendar" }).click();
    await page.getByRole("heading", { level: 1, name: "Calendar" }).waitFor();
    await page.goBack();
    await expect.poll(() => page.getByLabel("Search").inputValue()).toBe("mon fell");
    expect(await page.getByLabel("Payment", { exact: true }).inputValue()).toBe("due");
    await page.getByRole("navigation", { name: "Portal" }).getByRole("link", { name: "Bookings" }).click();
    await expect.poll(() => page.getByLabel("Search").inputValue()).toBe("");
    await visit(page, "/admin");
    await page.getByRole("radio", { name: "90 days" }).check();
    await page.waitForURL("**/admin?days=90");
    await page.reload();
    await expect.poll(() => page.getByRole("radio", { name: "90 days" }).isChecked()).toBe(true);
  });

  test("an unsaved form is not shown to another person, and no password is stored", async () => {
    const page = portal();
    await visit(page, "/admin/courses");
    await page.getByRole("button", { name: "Add course date" }).click();
    await field(page, "Description").fill("Between us");
    await signOutElsewhere(page);
    await page.getByLabel("Password").fill("never kept");
    const stored = await page.evaluate(() => JSON.stringify([Object.entries(sessionStorage), Object.entries(localStorage)]));
    expect(stored).not.toContain("never kept");
    // An unsaved form is stored under the id of its owner.
    const owners = await page.evaluate(() => Object.keys(sessionStorage).flatMap((name) => /^unsaved\/([^/]+)\//.exec(name)?.[1] ?? []));
    expect(new Set(owners).size).toBe(1);
    await enterPassword(page);
    await page.getByRole("button", { name: "Logout" }).waitFor();
  });
});

function field(page: Page, label: string) {
  return page.getByRole("form").getByLabel(label);
}

async function signOutElsewhere(page: Page): Promise<void> {
  const other = await page.context().newPage();
  await other.goto("/admin/bookings");
  await other.getByRole("button", { name: "Logout" }).click();
  await other.getByRole("button", { name: "Sign in" }).waitFor();
  await other.close();
  await page.bringToFront();
  await page.getByRole("button", { name: "Sign in" }).waitFor();
}

/** Runs in the browser: blocks the tab after it read the stored session for the nth time, until a path responds. */
function stayBusy({ busyAfter, until }: { busyAfter: number; until: string }): void {
  const read = Storage.prototype.getItem;
  let reads = 0;
  Storage.prototype.getItem = function (name) {
    const text = read.call(this, name);
    if (name.endsWith("-auth-token") && ++reads === busyAfter) {
      const request = new XMLHttpRequest();
      request.open("GET", until, false);
      request.send();
    }
    return text;
  };
}
