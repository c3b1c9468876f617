import { gzipSync } from "node:zlib";
import { createClient } from "@supabase/supabase-js";
import { courses } from "content/courses/index.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { openPublicSite, PHONE } from "../support/public-site.ts";

// The size of the document of the home page, and the styles that it contains.

const KEYS = { PUBLISHABLE_KEY: "sb_publishable_document-0123456789abcdef", SECRET_KEY: "sb_secret_document-0123456789abcdef" };
// The home page shows 15 to 18 of the sample dates, depending on the day.
const MOST_SAMPLES = 18;

const site = openPublicSite(KEYS);

describe("the document of home", () => {
  beforeAll(async () => {
    const office = createClient(site.url(), KEYS.SECRET_KEY, { auth: { persistSession: false } });
    const missing = MOST_SAMPLES - (await shownDates());
    const added = courses.slice(0, Math.max(0, missing)).map(({ courseName }, place) => ({
      course_name: courseName,
      course_date: `2031-03-${10 + place}T09:00Z`,
      capacity: 10 + place,
    }));
    const { error } = await office.from("course_dates").insert(added, { defaultToNull: false });
    if (error) throw error;
  });

  test("is at most 90 KB, and 18 KB compressed, with the most dates that the samples have", async () => {
    const bytes = await readDocument();
    expect(await shownDates()).toBe(MOST_SAMPLES);
    expect(bytes.length).toBeGreaterThan(50_000);
    expect(bytes.length).toBeLessThanOrEqual(90_000);
    expect(gzipSync(bytes, { level: 6 }).length).toBeLessThanOrEqual(18_000);
  });

  test.each(["/", "/door-supervisor", "/blog"])("contains its styles: %s fetches no stylesheet a second time", async (path) => {
    const visitor = await site.open({ viewport: PHONE });
    const requested: string[] = [];
    visitor.on("request", (request) => requested.push(request.url()));
    await visitor.goto(path, { waitUntil: "networkidle" });
    const contained = await visitor
      .locator("link[rel=stylesheet][disabled]")
      .evaluateAll((links) => links.map((link) => Reflect.get(link, "href")));
    expect(contained.length).toBeGreaterThan(2);
    expect(requested.filter((url) => contained.includes(url))).toEqual([]);
    await visitor.context().close();
  });

  test("shows the first screen before the styles of the other sections have arrived", async () => {
    const visitor = await site.open({ viewport: PHONE });
    const held = Promise.withResolvers<void>();
    await visitor.route("**/later-*.css", async (route) => {
      await held.promise;
      await route.continue();
    });
    await visitor.goto("/", { waitUntil: "commit" });
    await expect.poll(() => visitor.evaluate(() => performance.getEntriesByName("first-contentful-paint").length)).toBe(1);
    await visitor.locator("#dates").getByRole("link", { name: "Ask for this place" }).first().waitFor();
    expect(await visitor.locator("#courses").count()).toBe(0);
    held.resolve();
    const section = visitor.locator("#testimonials");
    await section.waitFor();
    expect(await section.evaluate((element) => getComputedStyle(element).position)).toBe("relative");
    await visitor.context().close();
  });
});

async function readDocument(): Promise<Uint8Array> {
  return (await fetch(`${site.url()}/`, { headers: { "Accept-Encoding": "identity" } })).bytes();
}

async function shownDates(): Promise<number> {
  return new TextDecoder().decode(await readDocument()).match(/href="\/ask\//g)?.length ?? 0;
}
