import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import type { BrowserContextOptions, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { violationsOfSchemes } from "./axe.ts";
import { openPage } from "./browser.ts";
import { inOneProcess, type Deploy } from "./deployments.ts";
import { STAFF } from "./product.ts";
import { useBrowser } from "./shared-browser.ts";
import { startedDirectory } from "./started-directory.ts";

// The time limit of realtime messages is long enough for a busy machine.
const CLIENT = { auth: { persistSession: false, autoRefreshToken: false }, realtime: { timeout: 60_000 } };

/** A page between two visits of the same page. */
const AWAY = "/admin/profile";

declare global {
  /** The router of a page of the portal, except the sign-in page. */
  var __reactRouterDataRouter:
    | {
        state: { navigation: { state: string }; matches: { route: { id: string } }[] };
        navigate(to: string, options: { flushSync: boolean }): Promise<void>;
        revalidate(): Promise<void>;
      }
    | undefined;
}

/** Starts the product for the tests of a suite and opens a page in which the account is signed in; an uncaught error on the page fails the suite. */
export function openPortal(deploy: Deploy = inOneProcess): () => Page {
  const browser = useBrowser();
  const cleanup = new AsyncDisposableStack();
  const errors: string[] = [];
  let page: Page | undefined;

  beforeAll(async () => {
    const dataDir = cleanup.use(await startedDirectory());
    const site = cleanup.adopt(await deploy(dataDir.path), (started) => started.stop());
    // The content security policy of the site would refuse the script of axe.
    page = await openPage(browser(), {
      baseURL: site.url,
      bypassCSP: true,
      acceptDownloads: true,
      storageState: await signedIn(site.url),
    });
    page.on("pageerror", (error) => errors.push(error.message));
    // Tests open the screens that they need; this small file only gives the page its origin.
    await page.goto("/robots.txt");
  });
  afterAll(() => cleanup.disposeAsync());
  afterAll(() => expect(errors).toEqual([]));

  return () => {
    if (!page) throw new Error("The portal is not open yet.");
    return page;
  };
}

/** Signs in the account of the fixture. */
export async function signIn(page: Page): Promise<void> {
  await page.goto("/admin");
  await enterPassword(page);
}

/** A client of the service behind the page, signed in or not. */
export async function clientOf(page: Page, isSignedIn = true): Promise<SupabaseClient> {
  const { origin } = new URL(page.url());
  const client = createClient(origin, await publishableKey(origin), CLIENT);
  const { error } = isSignedIn ? await client.auth.signInWithPassword(STAFF) : { error: null };
  if (error) throw error;
  return client;
}

/** The storage of a browser in which the account of the fixture is signed in. */
async function signedIn(origin: string): Promise<NonNullable<BrowserContextOptions["storageState"]>> {
  const stored = new Map<string, string>();
  const storage = {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
    removeItem: (name: string) => void stored.delete(name),
  };
  const client = createClient(origin, await publishableKey(origin), { auth: { storage, autoRefreshToken: false } });
  const { error } = await client.auth.signInWithPassword(STAFF);
  if (error) throw error;
  return { cookies: [], origins: [{ origin, localStorage: [...stored].map(([name, value]) => ({ name, value })) }] };
}

/** The key in the portal's document. */
async function publishableKey(origin: string): Promise<string> {
  const key = /name="publishable-key" content="([^"]+)"/.exec(await (await fetch(`${origin}/admin`)).text())?.[1];
  if (key === undefined) throw new Error("The portal contains no key.");
  return key;
}

/**
 * Opens a path of the portal. If a page of the portal is open, its router navigates there, as a link does: a load takes several times
 * as much processor time.
 */
export async function visit(page: Page, path: string): Promise<void> {
  const here = page.url().startsWith("http") ? new URL(page.url()).pathname : "";
  // On the same page the router would leave forms and dialogs open.
  const stops = path.split("?")[0] === here ? [AWAY, path] : [path];
  for (const stop of stops) if (!(await isRouted(page, stop))) return void (await page.goto(path));
}

/** Navigates to another page of the portal with the router; returns false if another page is open afterwards. */
function isRouted(page: Page, path: string): Promise<boolean> {
  return page.evaluate(async (to) => {
    const [pathname] = to.split("?");
    const router = globalThis.__reactRouterDataRouter;
    if (!router || pathname === location.pathname) return false;
    const left = document.querySelector("main");
    const routeId = (): string | undefined => router.state.matches.at(-1)?.route.id;
    const leftRoute = routeId();
    // Otherwise React may show the page after `navigate` has resolved.
    await router.navigate(to, { flushSync: true });
    // If the data of the page is loaded again meanwhile, after a change by others, `navigate` may resolve early, and the router goes on alone;
    // React then shows the page after the router has finished. Pages of one route share their `main`.
    while (router.state.navigation.state !== "idle" || (routeId() !== leftRoute && left?.isConnected))
      await new Promise((resolve) => setTimeout(resolve, 5));
    return pathname === location.pathname;
  }, path);
}

/** Fills in the form of the sign-in page. */
export async function enterPassword(page: Page): Promise<void> {
  await page.getByLabel("E-mail").fill(STAFF.email);
  await page.getByLabel("Password").fill(STAFF.password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Tests that axe finds nothing on a screen of the portal and that it does not scroll sideways, on a phone and a desktop screen, light and dark. */
export function testScreen(name: string, page: () => Page, show: (page: Page) => Promise<void>): void {
  test(`${name} has no axe violation and fits the width, on a phone and a desktop screen, in both colour schemes`, async () => {
    await page().setViewportSize({ width: 360, height: 900 });
    await show(page());
    const overhang = (): Promise<number> =>
      page().evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    await page().setViewportSize({ width: 768, height: 900 });
    await expect.poll(overhang, { message: "768 px" }).toBe(0);
    for (const width of [360, 1280]) {
      await page().setViewportSize({ width, height: 900 });
      await expect.poll(overhang, { message: `${width} px` }).toBe(0);
      expect(await violationsOfSchemes(page()), `${width} px`).toEqual([]);
    }
  });
}

/** The day after today in London, for a date that is coming soon. */
export function tomorrow(): string {
  return Temporal.Now.zonedDateTimeISO("Europe/London").add({ days: 1 }).toPlainDate().toString();
}

/** Adds a date of Lvl 2 CCTV at a time in London, with bookings, by a client or by one that it signs in; returns its id. */
export async function addDate(by: SupabaseClient | Page, start: string, capacity: number, ...bookings: readonly object[]): Promise<string> {
  const staff = "from" in by ? by : await clientOf(by);
  const course_date = Temporal.PlainDateTime.from(start).toZonedDateTime("Europe/London").toInstant().toString();
  const { data, error } = await staff
    .from("course_dates")
    .insert({ course_name: "Lvl 2 CCTV", course_date, capacity })
    .select("id")
    .single();
  if (error) throw error;
  for (const booking of bookings) {
    const { error: refusal } = await staff.from("bookings").insert({ course_id: data["id"], ...booking });
    if (refusal) throw refusal;
  }
  return data["id"];
}

/** Opens the form with unsaved input, unless the URL opened it. */
export async function continueUnsaved(page: Page): Promise<void> {
  const restored = page.getByText("Your unsaved input was restored.");
  const button = page.getByRole("button", { name: "Continue", exact: true });
  await restored.or(button).first().waitFor();
  if (await button.isVisible()) await button.click();
  await restored.waitFor();
}

/** Presses Delete in a row and confirms. */
export async function deleteRow(page: Page, name: RegExp): Promise<void> {
  await page.getByRole("button", { name }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
}

/** An option of a select, by its text. */
export function option(page: Page, label: string, text: RegExp): Locator {
  return page.getByLabel(label, { exact: true }).locator("option").filter({ hasText: text });
}

/** Selects an option by its text. */
export async function choose(page: Page, label: string, text: RegExp): Promise<void> {
  const value = await option(page, label, text).getAttribute("value");
  await showFilters(page);
  await page.getByLabel(label, { exact: true }).selectOption(value);
}

/** Opens the filters of a list, which are folded on a phone. */
export async function showFilters(page: Page): Promise<void> {
  const button = page.getByRole("button", { name: /^Filters/, expanded: false });
  if (await button.isVisible()) await button.click();
}

/** Waits until the field of this name has the focus. */
export async function focused(page: Page, name: string): Promise<void> {
  await page.waitForFunction((wanted) => document.activeElement?.getAttribute("name") === wanted, name);
}
