import { createClient } from "@supabase/supabase-js";
import type { Page } from "playwright-core";
import { launchBrowser } from "../e2e/support/browser.ts";
import { STAFF, STAFF_ENV, startProcess, temporaryDirectory } from "../e2e/support/product.ts";
import { median } from "./load.ts";

// Time from the press of "Add booking" in one window to the places that are painted in others, and its part after the response.

const BAR_MS = 1000;
const ROUNDS = Number(process.env["ROUNDS"] ?? 20);
/** The windows that follow, and their text for the places that are left. */
const FOLLOWERS: readonly [path: string, text: (left: number) => string][] = [
  ["/admin/courses", (left) => `${left} left`],
  ["/admin", (left) => `${CAPACITY - left} of ${CAPACITY} booked`],
];
/** No other date has so many. */
const CAPACITY = 190;

await using directory = await temporaryDirectory();
await using site = await startProcess("server/build/site.js", { DATA_DIR: directory.path, LOG_LEVEL: "warn", ...STAFF_ENV });
await using cleanup = new AsyncDisposableStack();
const browser = cleanup.adopt(await launchBrowser(), (opened) => opened.close());
const context = await browser.newContext({ baseURL: site.url });
const writer = await context.newPage();
await writer.goto("/admin");
await writer.getByLabel("E-mail").fill(STAFF.email);
await writer.getByLabel("Password").fill(STAFF.password);
await writer.getByRole("button", { name: "Sign in" }).click();
await writer.getByRole("heading", { name: "Admin Dashboard" }).waitFor();
await addDate();
const followers = await Promise.all(FOLLOWERS.map(([path]) => follow(path)));

const total: number[] = [];
const afterResponse: number[] = [];
for (let round = -1; round < ROUNDS; round += 1) {
  const left = CAPACITY - round - 2;
  await writer.goto("/admin/bookings?new");
  await writer.getByLabel("Name", { exact: true }).fill("Ada Fell");
  const date = writer.getByLabel("Date", { exact: true });
  const option = date.locator("option").filter({ hasText: `${left + 1} left` });
  await option.waitFor({ state: "attached" });
  await date.selectOption(await option.getAttribute("value"));
  await writer.evaluate(notePress);
  const shown = Promise.all(followers.map((page, index) => page.evaluate(timeOfText, FOLLOWERS[index]?.[1](left) ?? "")));
  await writer.getByRole("button", { name: "Add booking" }).click();
  const [pressed, answered] = await writer.evaluate(timesOfBooking);
  // The first round fills caches.
  if (round < 0) await shown;
  else
    for (const at of await shown) {
      total.push(at - pressed);
      afterResponse.push(at - answered);
    }
}
for (const [what, times] of [
  ["the press", total],
  ["the response", afterResponse],
] as const) {
  const worst = Math.max(...times);
  console.log(
    `  from ${what} to the places in another window: median ${Math.round(median(times))} ms, worst ${Math.round(worst)} ms of ${times.length} (bar ${BAR_MS}: ${worst <= BAR_MS ? "held" : "MISSED"})`,
  );
}

async function addDate(): Promise<void> {
  const key = await writer.locator('meta[name="publishable-key"]').getAttribute("content");
  const client = createClient(site.url, key ?? "", { auth: { persistSession: false, autoRefreshToken: false } });
  const signedIn = await client.auth.signInWithPassword(STAFF);
  const start = Temporal.Now.zonedDateTimeISO("Europe/London").add({ days: 1 }).toPlainDate().toString();
  const { error } = await client
    .from("course_dates")
    .insert({ course_name: "Lvl 2 CCTV", course_date: `${start}T09:00Z`, capacity: CAPACITY });
  if (signedIn.error ?? error) throw signedIn.error ?? error;
}

/** Opens a window and waits until it follows changes. */
async function follow(path: string): Promise<Page> {
  const page = await context.newPage();
  const followed = new Promise((resolve) => {
    page.on("websocket", (socket) => {
      socket.on("framereceived", ({ payload }) => {
        const frame = payload.toString();
        if (frame.includes("realtime:portal:changes") && frame.includes('"status":"ok"')) resolve(undefined);
      });
    });
  });
  await page.goto(path);
  await followed;
  return page;
}

/** Runs in the page: marks the press of a button. */
function notePress(): void {
  addEventListener("click", () => performance.mark("pressed"), { capture: true, once: true });
}

/** Runs in the page: the times, in ms since 1970, of the press and of the response to the booking. */
async function timesOfBooking(): Promise<[pressed: number, answered: number]> {
  const [mark] = performance.getEntriesByName("pressed");
  const isAnswer = (entry: PerformanceEntry): boolean =>
    entry.name.includes("/rest/v1/") && entry.startTime > (mark?.startTime ?? 0) && entry.name.includes("bookings");
  let answer: PerformanceEntry | undefined;
  while (!(answer = performance.getEntriesByType("resource").find(isAnswer))) await new Promise((resolve) => setTimeout(resolve, 10));
  return [performance.timeOrigin + (mark?.startTime ?? 0), performance.timeOrigin + answer.startTime + answer.duration];
}

/** Runs in the page: resolves when a text is painted, with the time in ms since 1970. */
function timeOfText(text: string): Promise<number> {
  return new Promise((resolve) => {
    const watcher = new MutationObserver(() => {
      if (!document.querySelector("main")?.textContent.includes(text)) return;
      watcher.disconnect();
      requestAnimationFrame(() => setTimeout(() => resolve(performance.timeOrigin + performance.now())));
    });
    watcher.observe(document, { childList: true, subtree: true, characterData: true });
  });
}
