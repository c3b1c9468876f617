import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { browserOf, openPage } from "../../support/browser.ts";
import { enterPassword, openPortal, signIn, testScreen } from "../../support/portal.ts";

const SCRIPTS = "**/assets/*.js";

describe("the login", () => {
  const portal = openPortal();
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

  test("of an expired session is the one inside the portal, and signs in as well", async () => {
    const page = await openPage(browserOf(portal()), { baseURL: new URL(portal().url()).origin });
    await page.addInitScript(() => localStorage.setItem(`sb-${location.hostname.split(".")[0]}-auth-token`, "{}"));
    await page.goto("/admin");
    await enterPassword(page);
    await page.getByRole("heading", { name: "Admin Dashboard" }).waitFor();
    await page.context().close();
  });

  testScreen(
    "the login",
    () => visitor,
    async (page) => {
      await page.goto("/admin");
      await page.getByRole("button", { name: "Sign in" }).and(page.locator(":enabled")).waitFor();
    },
  );
});
