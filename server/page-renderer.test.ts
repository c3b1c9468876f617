import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { courses } from "content/courses/index.ts";
import { fixedPages } from "content/pages.ts";
import { IN_PROCESS } from "backend";
import { openTestPglite } from "backend/test/database.ts";
import fc from "fast-check";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { builtFrontend } from "./frontend.ts";
import type { Site, SiteOptions } from "site/build";
import { openProject, PROJECT_URL, PUBLISHABLE_KEY, type Project } from "../site/test/support/project.ts";

// The site renders cached pages without React Router's own handler; both must respond alike.

type Read = SiteOptions["supabase"]["fetch"];

interface Answer {
  status: number;
  headers: Record<string, string>;
  html: string;
}

const VISITOR = { clientAddress: "192.0.2.1" };
const POST = "/blog/boots-for-a-wet-day";
const cachedPaths = fixedPages.filter(({ page }) => page.cached).map(({ path }) => path);

/** Creates the site with our renderer and with React Router's; `read` answers the reads of their pages. */
async function bothSites(read: Read): Promise<[own: Site, theirs: Site]> {
  const { createSite } = await builtFrontend();
  const options = {
    siteUrl: PROJECT_URL,
    supabase: { url: PROJECT_URL, publishableKey: PUBLISHABLE_KEY, fetch: read },
    enquiryFormUrl: undefined,
    renderOgImage: () => Promise.resolve(null),
    // Every request renders its page.
    pageLifetimeMs: 0,
    log: pino({ level: "silent" }),
  };
  return [await createSite(options), await createSite({ ...options, byReactRouter: true })];
}

const ASSETS = join(import.meta.dirname, "../site/build/client/assets");

function readAsset(name: string): Promise<string> {
  return readFile(join(ASSETS, name), "utf8");
}

/** The classes that the selectors of stylesheets name. */
function classesOf(stylesheets: string[]): Set<string> {
  return new Set(stylesheets.flatMap((text) => [...text.matchAll(/\.([A-Za-z][\w-]*)/g)].map(([, name = ""]) => name)));
}

async function answerOf(site: Site, path: string, method: string): Promise<Answer> {
  const response = await site.fetch(new Request(PROJECT_URL + path, { method }), VISITOR);
  return { status: response.status, headers: Object.fromEntries(response.headers), html: await response.text() };
}

async function expectSame([own, theirs]: [Site, Site], path: string, method = "GET"): Promise<Answer> {
  const answer = await answerOf(own, path, method);
  expect(answer).toEqual(await answerOf(theirs, path, method));
  return answer;
}

describe("a page and React Router's rendering of it", () => {
  let project: Project;
  let sites: [Site, Site];

  // Pages contain the time of their render, and the time until a course starts.
  beforeAll(() => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    const now = Temporal.Now.instant();
    vi.spyOn(Temporal.Now, "instant").mockImplementation(() => now);
  });
  afterAll(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  beforeAll(async () => {
    project = await openProject(openTestPglite);
    const start = Date.now() + 30 * 86_400_000;
    const dates = courses.map(({ courseName }, day) => ({
      course_name: courseName,
      course_date: new Date(start + day * 86_400_000).toISOString(),
      capacity: 12,
    }));
    await project.service.from("course_dates").insert(dates).throwOnError();
    const post = {
      slug: POST.slice("/blog/".length),
      title: "Boots for a wet day",
      content: "## Laces\n\nTwo pairs.",
      author: "Jo",
      image_url: "/images/boots.jpg",
    };
    await project.service.from("blog_posts").insert(post).throwOnError();
    sites = await bothSites((request, { relations }) => project.backend.fetch(request, { ...IN_PROCESS, relations }));
  });
  afterAll(() => project.database.close());

  test.each([...new Set([...cachedPaths, ...courses.map(({ link }) => link), POST])])("are the same for %s", async (path) => {
    const { status, html } = await expectSame(sites, path);
    expect(status).toBe(200);
    expect(html).toContain("<!DOCTYPE html>");
  });

  test("have the styles of each of their classes", async () => {
    const ofAll = classesOf(await Promise.all((await readdir(ASSETS)).filter((name) => name.endsWith(".css")).map(readAsset)));
    for (const path of [...cachedPaths, courses[0]?.link ?? "", POST]) {
      const { html } = await answerOf(sites[0], path, "GET");
      const inline = [...html.matchAll(/<style>([^<]*)/g)].map(([, text = ""]) => text);
      const linked = [...html.matchAll(/<link rel="stylesheet" href="\/assets\/([^"#]+)/g)].map(([, name = ""]) => readAsset(name));
      const ofPage = classesOf([...inline, ...(await Promise.all(linked))]);
      const used = [...html.matchAll(/ class="([^"]+)"/g)].flatMap(([, names = ""]) => names.split(" "));
      expect(used.length, path).toBeGreaterThan(50);
      expect(new Set(used.filter((name) => ofAll.has(name) && !ofPage.has(name))), path).toEqual(new Set());
    }
  });

  test.each(["/blog/nobody-wrote-this", "/blog/a%20b", "/blog/<script>"])("are the same 404 for %s", async (path) => {
    expect((await expectSame(sites, path)).status).toBe(404);
  });

  test("are the same for HEAD, without a body", async () => {
    for (const path of ["/", POST]) expect((await expectSame(sites, path, "HEAD")).html, path).toBe("");
  });

  test("are the same for any query", async () => {
    const value = fc.oneof(fc.string({ maxLength: 12 }), fc.constantFrom("medical", "refresher", "2", "49", "<b>", "'\"&"));
    const query = fc.array(fc.tuple(fc.constantFrom("category", "page", "utm_source", "q", "tag"), value), { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...cachedPaths), query, async (path, entries) => {
        expect((await expectSame(sites, `${path}?${new URLSearchParams(entries).toString()}`)).status).toBe(200);
      }),
      { numRuns: 30 },
    );
  });

  test.each<[string, Read]>([
    ["an error", () => Promise.resolve(Response.json({ code: "08006", message: "no database" }, { status: 503 }))],
    ["a failed connection", () => Promise.reject(new TypeError("fetch failed"))],
    ["rows of another shape", () => Promise.resolve(Response.json([{ id: 1, slug: null, course_date: "never", content: 7 }]))],
  ])("are the same if reads end in %s", async (_reads, read) => {
    const failing = await bothSites(read);
    for (const path of ["/", "/blog", POST, courses[0]?.link ?? ""]) expect((await expectSame(failing, path)).html).toContain("<h1");
  });
});
