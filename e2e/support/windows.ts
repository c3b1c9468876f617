import type { BrowserContext, Page } from "playwright-core";
import { expect } from "vitest";
import { browserOf, openPage } from "./browser.ts";

const SOCKET = "**/realtime/v1/websocket*";
/** Matches the request that a page sends, while no changes arrive, to check that the service responds; without a response it reloads nothing. */
export const POLL = /\/rest\/v1\/course_dates\?select=id&limit=1$/;

declare global {
  /** True in a window that sends its polls although they are stopped in its context. */
  var pollsAllowed: boolean | undefined;
}

/** Stops the polls of a window or of all windows of a person, so that only an announced change loads a list again. A window may allow its own. */
export async function stopPolls(windows: Page | BrowserContext): Promise<void> {
  // With a route of Playwright the browser would load every page without its cache.
  await windows.addInitScript((poll) => {
    const send = globalThis.fetch;
    globalThis.fetch = (input, init) => {
      const url = input instanceof Request ? input.url : String(input);
      return new RegExp(poll).test(url) && globalThis.pollsAllowed !== true
        ? Promise.reject(new TypeError("Failed to fetch"))
        : send(input, init);
    };
  }, POLL.source);
}

/** Allows the polls of one window; to be called before the page is opened. */
export async function allowPolls(page: Page): Promise<void> {
  await page.addInitScript(() => (globalThis.pollsAllowed = true));
}

/** Resolves when the portal of a page follows changes; to be called before the page is opened. */
export function following(page: Page): Promise<void> {
  return new Promise((resolve) => {
    page.on("websocket", (socket) => {
      socket.on("framereceived", ({ payload }) => {
        const frame = payload.toString();
        if (frame.includes("realtime:portal:changes") && frame.includes('"status":"ok"')) resolve();
      });
    });
  });
}

/** Opens a page of the portal and waits until it follows changes. */
export async function openLive(page: Page, path: string): Promise<Page> {
  // Otherwise the connection of the page before could be taken for the new one.
  await page.goto("about:blank");
  const joined = following(page);
  await page.goto(path);
  await joined;
  return page;
}

/** Opens another window with the session of a page; changes do not reload its lists. */
export async function newQuietWindow(page: Page): Promise<Page> {
  const window = await page.context().newPage();
  window.on("pageerror", (error) => expect.fail(error.message));
  await window.routeWebSocket(SOCKET, (socket) => socket.close());
  await stopPolls(window);
  return window;
}

/** Opens another window with the session of a page. */
export async function openWindow(page: Page, path: string): Promise<Page> {
  return openLive(await page.context().newPage(), path);
}

/** Invites a colleague on the screen of `inviter` and signs them in, in a browser context of their own. */
export async function inviteColleague(
  inviter: Page,
  { email, password, name }: { email: string; password: string; name?: string },
): Promise<Page> {
  await inviter.goto("/admin/staff");
  await inviter.getByRole("button", { name: "Invite" }).click();
  await inviter.getByLabel("E-mail").fill(email);
  if (name !== undefined) await inviter.getByLabel("Name").fill(name);
  await inviter.getByRole("form").getByRole("button", { name: "Invite" }).click();
  await inviter.getByText(`${email} is invited. Hand over the link below.`).waitFor();
  const page = await openPage(browserOf(inviter), { baseURL: new URL(inviter.url()).origin });
  page.on("pageerror", (error) => expect.fail(error.message));
  await page.goto(await inviter.getByLabel("Link", { exact: true }).inputValue());
  await page.getByRole("button", { name: "Open my account" }).click();
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByLabel("Repeat password").fill(password);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Admin Dashboard" }).waitFor();
  return page;
}

/** Dispatches the event of a tab that becomes visible, at which the portal checks its session. */
export async function comeBack(page: Page): Promise<void> {
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
}
