import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { openPglite } from "../backend/src/db/pglite/pglite.ts";
import { createLog } from "../server/log.ts";
import { launchBrowser } from "../e2e/support/browser.ts";
import { STAFF, startProcess, temporaryDirectory } from "../e2e/support/product.ts";
import { ANALYZE, largeDataset } from "../site/test/support/large-dataset.ts";
import { median } from "./load.ts";

// Time from the response of the service to the first painted row of each portal list, with 2,000 dates, 20,000 bookings and 500 posts,
// and from a typed letter to the filtered list, without another request.

const BAR_MS = 300;
const ROUNDS = 5;
/** Each list, the endpoint of its rows, and words that filter it; null if filtering sends a request. */
const LISTS: readonly [path: string, table: string, words: string | null][] = [
  ["/admin/courses", "course_dates", "handling may"],
  ["/admin/bookings", "course_dates", "person 1700"],
  ["/admin/bookings?when=all", "course_dates", "person 1700"],
  ["/admin/blog", "blog_posts", "post 77"],
  ["/admin/enquiries?when=all", "enquiries", "caller 77"],
  ["/admin/changes", "changes", null],
];

await using directory = await temporaryDirectory();
const env = { DATA_DIR: directory.path, LOG_LEVEL: "warn", STAFF_EMAIL: STAFF.email, STAFF_PASSWORD: STAFF.password };
await (await startProcess("server/build/site.js", env)).stop();
const database = await openPglite({ dataDir: join(directory.path, "database"), log: createLog("warn") });
await database.transaction((tx) => tx.script(largeDataset(2000)));
await database.transaction((tx) => tx.script(ANALYZE));
await database.close();

const site = await startProcess("server/build/site.js", env);
const browser = await launchBrowser();
try {
  const context = await browser.newContext({ baseURL: site.url });
  await signIn(context);
  await context.addInitScript(noteFirstRow);
  for (const [path, table, words] of LISTS) {
    const page = await context.newPage();
    const rounds: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) rounds.push(await shownAfter(page, path, table));
    const typing = words === null ? "" : `, narrowed ${await narrowedAfter(page, words)} ms after typing`;
    const shown = Math.round(median(rounds));
    console.log(`  ${path}: shown ${shown} ms after the answer (bar ${BAR_MS}: ${shown <= BAR_MS ? "held" : "MISSED"})${typing}`);
    await page.close();
  }
} finally {
  await browser.close();
  await site.stop();
}

async function signIn(context: BrowserContext): Promise<void> {
  const page = await context.newPage();
  await page.goto("/admin");
  await page.getByLabel("E-mail").fill(STAFF.email);
  await page.getByLabel("Password").fill(STAFF.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Admin Dashboard" }).waitFor();
  await page.close();
}

/** Runs in the page: marks the moment after the first row of a list was painted. */
function noteFirstRow(): void {
  const watcher = new MutationObserver(() => {
    if (!document.querySelector("main tbody tr")) return;
    watcher.disconnect();
    requestAnimationFrame(() => setTimeout(() => performance.mark("first-row")));
  });
  watcher.observe(document, { childList: true, subtree: true });
}

/** Milliseconds from the last byte of the list's response to its first painted row. */
async function shownAfter(page: Page, path: string, table: string): Promise<number> {
  await page.goto(path);
  return page.evaluate(async (name) => {
    while (performance.getEntriesByName("first-row").length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    const shown = performance.getEntriesByName("first-row")[0]?.startTime ?? 0;
    const answers = performance
      .getEntriesByType("resource")
      .filter((entry) => entry instanceof PerformanceResourceTiming && entry.name.includes(`/rest/v1/${name}?`))
      .map((entry) => entry.startTime + entry.duration)
      .filter((end) => end <= shown);
    return shown - Math.max(...answers);
  }, table);
}

/** Milliseconds from typing into the search to the filtered list; fails if that sent a request. */
async function narrowedAfter(page: Page, words: string): Promise<number> {
  const requested: string[] = [];
  page.on("request", (request) => requested.push(request.url()));
  const took = await page.evaluate(async (typed) => {
    const input = document.querySelector<HTMLInputElement>("#words");
    const total = document.querySelector("main search ~ div [role=status]");
    if (!input || !total) throw new Error("The list has no search.");
    const before = total.textContent;
    const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;
    const began = performance.now();
    set?.call(input, typed);
    input.dispatchEvent(new Event("input", { bubbles: true }));
    while (total.textContent === before) await new Promise((resolve) => requestAnimationFrame(resolve));
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    return performance.now() - began;
  }, words);
  if (requested.length > 0) throw new Error(`Filtering requested ${requested.join(", ")}`);
  return Math.round(took);
}
