import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { residentMegabytes, startProduct } from "./product.ts";
import { percentile, type Result, roundDirectory } from "./round.ts";

/** The goal for the embedded database: the resident memory in MB. */
const MAX_RESIDENT = 300;
const PAGES = ["/", "/blog", "/cctv", "/blog?page=1", "/sitemap.xml", "/enquiry", "/admin", "/health"];
const VISITORS = 4;
/** About 20 requests a second in all. */
const PAUSE_MS = 250;

/** Reads pages, counts views, sends enquiries and works in the portal at a modest rate, and measures memory and answers. */
export async function mixedLoad(seconds: number): Promise<Result> {
  await using directory = await roundDirectory();
  await using product = await startProduct(directory.path, { TRUST_PROXY: "1" });
  const staff = await product.staff();
  const end = performance.now() + seconds * 1000;
  const waits: number[] = [];
  const resident: number[] = [];
  let failures = 0;
  let visits = 0;

  async function count(request: Promise<{ ok: boolean }>): Promise<void> {
    const started = performance.now();
    const { ok } = await request.catch(() => ({ ok: false }));
    waits.push(performance.now() - started);
    if (!ok) failures += 1;
  }

  async function get(path: string): Promise<Response> {
    const response = await fetch(product.url + path, { headers: { Accept: "text/html" } });
    await response.arrayBuffer();
    return response;
  }

  async function visit(): Promise<void> {
    visits += 1;
    // As from many networks, which have limits of their own.
    const headers = { "X-Forwarded-For": `198.51.${visits % 256}.${(visits >> 8) % 256}`, apikey: product.publishableKey };
    await count(get(PAGES[visits % PAGES.length] ?? "/"));
    const view = JSON.stringify({ page_path: "/cctv", session_id: randomUUID() });
    const json = { ...headers, "Content-Type": "application/json", "User-Agent": "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0" };
    await count(fetch(`${product.url}/functions/v1/record-page-view`, { method: "POST", headers: json, body: view }));
  }

  async function workInPortal(): Promise<void> {
    const id = randomUUID();
    const ok = (answer: PromiseLike<{ error: unknown }>): Promise<{ ok: boolean }> =>
      Promise.resolve(answer).then(({ error }) => ({ ok: error === null }));
    await count(
      ok(staff.from("course_dates").insert({ id, course_name: "Lvl 2 CCTV", course_date: "2031-03-10T09:00:00Z", capacity: 12 })),
    );
    await count(ok(staff.from("bookings").insert({ course_id: id, name: "Person", email: "person@larkfell.example", places: 2 })));
    await count(ok(staff.from("course_dates").select("*, bookings(*)").limit(50)));
    await count(ok(staff.functions.invoke("get-website-stats?days=30", { method: "GET" })));
  }

  async function repeat(action: () => Promise<void>): Promise<void> {
    while (performance.now() < end) {
      await action();
      await delay(PAUSE_MS);
    }
  }

  await Promise.all([
    ...Array.from({ length: VISITORS }, () => repeat(visit)),
    repeat(workInPortal),
    repeat(async () => void resident.push(await residentMegabytes(product.child.pid))),
  ]);
  const largest = Math.max(...resident);
  const figures = {
    requests: waits.length,
    failures,
    "p99 ms": percentile(waits, 0.99),
    "longest MB": largest,
    "median MB": percentile(resident, 0.5),
    "MB at the end": resident.at(-1) ?? 0,
  };
  return { ok: failures === 0 && largest <= MAX_RESIDENT, figures };
}
