import { gzipSync } from "node:zlib";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { courseById, courses } from "content/courses/index.ts";
import { provider } from "content/provider.ts";
import { reviews } from "content/reviews.ts";
import sharp from "sharp";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchBrowser, openPage } from "./browser.ts";
import { startProcess, type RunningProcess } from "./product.ts";
import { hydrated } from "./public-site.ts";
import { startedDirectory } from "./started-directory.ts";

// What public pages say and do in each state that dates, posts and the backend can be in.

const KEYS = { PUBLISHABLE_KEY: "sb_publishable_states-0123456789abcdef", SECRET_KEY: "sb_secret_states-0123456789abcdef" };
const PHONE = { width: 360, height: 760 };
const DESK = { width: 1280, height: 900 };
const POST = "/blog/what-to-pack-for-your-first-day-of-door-supervisor-training";

const cleanup = new AsyncDisposableStack();
let browser: Browser;
let site: RunningProcess;
let office: SupabaseClient;
let page: Page;

beforeAll(async () => {
  const dataDir = cleanup.use(await startedDirectory());
  browser = cleanup.adopt(await launchBrowser(), (opened) => opened.close());
  site = cleanup.use(await startProcess("site/server.ts", { DATA_DIR: dataDir.path, ...KEYS }));
  office = createClient(site.url, KEYS.SECRET_KEY, { auth: { persistSession: false } });
  page = await openPage(browser, { baseURL: site.url, viewport: DESK, reducedMotion: "reduce" });
});
afterAll(() => cleanup.disposeAsync());

describe("the bar at the head", () => {
  test("of home leads to its sections, of other pages to the blog, and always to the portal", async () => {
    await page.goto("/");
    expect(await navigation()).toEqual(["Home /", "Courses #courses", "Testimonials #testimonials", "Contact #contact", "Portal /admin"]);
    for (const path of ["/cctv", "/blog", "/privacy-policy", "/nowhere"]) {
      await page.goto(path);
      expect(await navigation(), path).toEqual(["Home /", "Blog /blog", "Contact #contact", "Portal /admin"]);
    }
  });

  test.each([
    ["/", "Home"],
    ["/blog", "Blog"],
    [POST, "Blog"],
  ])("of %s marks %s as where one is", async (path, label) => {
    await page.goto(path);
    expect(await page.getByRole("banner").locator("[aria-current]").allInnerTexts()).toEqual([label]);
  });

  test("leads to the sections of home, which come to stand below it", async () => {
    await page.goto("/");
    for (const label of ["Courses", "Testimonials"]) {
      await page.getByRole("banner").getByRole("link", { name: label }).click();
      await expect.poll(() => page.locator(`#${label.toLowerCase()} h2`).isVisible()).toBe(true);
      await expect.poll(async () => (await page.locator(`#${label.toLowerCase()}`).boundingBox())?.y ?? -1).toBeGreaterThanOrEqual(60);
      await expect.poll(async () => (await page.locator(`#${label.toLowerCase()}`).boundingBox())?.y ?? 999).toBeLessThan(200);
    }
  });

  test.each([PHONE, DESK])(
    "does not cover a part of home that an address leads to, however little was laid out before ($width px)",
    async (viewport) => {
      await page.setViewportSize(viewport);
      for (const part of ["courses", "testimonials", "about", "team", "enquiry"]) {
        await page.goto("/blog");
        await page.goto(`/#${part}`);
        await expect.poll(() => topOf(part)).toBeGreaterThanOrEqual(60);
        await expect.poll(() => topOf(part)).toBeLessThan(120);
        await page.goto("/blog");
        await page.goto("/");
        await page.evaluate((id) => location.assign(`#${id}`), part);
        await expect.poll(() => topOf(part)).toBeGreaterThanOrEqual(60);
        await expect.poll(() => topOf(part)).toBeLessThan(120);
      }
      await page.setViewportSize(DESK);
    },
  );

  async function topOf(part: string): Promise<number> {
    return (await page.locator(`#${part}`).boundingBox())?.y ?? Number.NaN;
  }

  async function navigation(): Promise<string[]> {
    const links = page.getByRole("navigation", { name: "Main" }).getByRole("link");
    return links.evaluateAll((all) => all.map((link) => `${link.textContent.trim()} ${link.getAttribute("href")}`));
  }
});

describe("the category of courses", () => {
  test("is chosen by buttons on a wide screen, and in a list that says what for on a small one", async () => {
    await page.goto("/");
    const list = page.getByLabel("Select course category");
    const button = page.getByRole("button", { name: "Medical Training" });
    expect([await button.isVisible(), await list.isVisible()]).toEqual([true, false]);
    await page.setViewportSize(PHONE);
    expect([await button.isVisible(), await list.isVisible()]).toEqual([false, true]);
    expect(await list.locator("option").allInnerTexts()).toEqual([
      "Security Training",
      "Medical Training",
      "Refresher Courses",
      "Health & Safety",
      "Coming Soon",
    ]);
    await expect
      .poll(async () => {
        await list.selectOption("Health & Safety");
        return page.url();
      })
      .toContain("category=health-safety");
    await page.reload();
    expect(await list.inputValue()).toBe("health-safety");
    await page.getByRole("group", { name: "Health & Safety", exact: true }).waitFor();
    await page.setViewportSize(DESK);
  });
});

describe("a review", () => {
  test("is cut at 150 characters and read to its end on demand", async () => {
    await page.goto("/");
    const long = reviews.filter(({ text }) => text.length > 150);
    const cut = page.locator("#testimonials summary");
    expect(await cut.count()).toBe(long.length);
    for (const [index, { text }] of long.entries()) {
      const shown = ((await cut.nth(index).locator("span").first().textContent()) ?? "").replace(/…$/, "");
      expect(shown.length).toBeLessThan(150);
      expect(text.startsWith(shown)).toBe(true);
    }
    await cut.first().click();
    await page.getByText(long[0]?.text ?? "", { exact: true }).waitFor();
  });
});

describe("a countdown", () => {
  test.each(["Pacific/Auckland", "America/Los_Angeles"])(
    "is right for a visitor in %s, and the page it came in as well",
    async (timezoneId) => {
      const visitor = await openPage(browser, { baseURL: site.url, timezoneId });
      const complaints: string[] = [];
      visitor.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
      visitor.on("pageerror", (error) => complaints.push(error.message));
      await visitor.goto("/");
      const row = visitor.locator("#dates li").first();
      const start = Date.parse((await row.locator("time").getAttribute("datetime")) ?? "");
      const left = async (): Promise<number> => {
        const [days = 0, hours = 0, minutes = 0, seconds = 0] = ((await row.getByRole("timer").innerText()).match(/\d+/g) ?? []).map(
          Number,
        );
        return ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
      };
      const before = await left();
      await expect.poll(left).toBeLessThan(before);
      expect(Math.abs((start - Date.now()) / 1000 - (await left()))).toBeLessThan(5);
      const london = new Intl.DateTimeFormat("en-GB", { timeZone: "Europe/London", hour: "2-digit", minute: "2-digit" }).format(start);
      expect(await row.locator("time").innerText()).toContain(london);
      expect(complaints).toEqual([]);
      await visitor.context().close();
    },
  );

  test("says that the course starts soon once its time has come", async () => {
    const visitor = await openPage(browser, { baseURL: site.url });
    await visitor.clock.install();
    await visitor.goto("/");
    const row = visitor.locator("#dates li").first();
    const start = Date.parse((await row.locator("time").getAttribute("datetime")) ?? "");
    await row.getByRole("timer").waitFor();
    await visitor.clock.pauseAt(start + 1000);
    await row.getByText("Course Starting Soon!").waitFor();
    await visitor.context().close();
  });
});

describe("a course page", () => {
  const cctv = courseById("cctv");
  const departures = (): Locator => page.getByRole("region", { name: "Next departures" });

  beforeAll(async () => {
    await office.from("course_dates").delete().eq("course_name", "Lvl 2 CCTV");
    const { data } = await office
      .from("course_dates")
      .insert(
        [
          { course_name: "Lvl 2 CCTV", course_date: "2031-03-03T09:00Z", capacity: 2 },
          { course_name: "Lvl 2 CCTV", course_date: "2031-07-07T08:00Z", capacity: 1 },
          { course_name: "Lvl 2 CCTV", course_date: "2031-08-04T08:00Z", capacity: 4, status: "cancelled" },
          { course_name: "Lvl 2 CCTV", course_date: "2020-08-04T08:00Z", capacity: 4 },
        ],
        { defaultToNull: false },
      )
      .select("id")
      .order("course_date");
    const [, first, second] = data ?? [];
    const { error } = await office.from("bookings").insert([
      { course_id: first?.id, name: "Ada" },
      { course_id: second?.id, name: "Ben" },
    ]);
    if (error) throw error;
    await page.goto("/cctv");
  });

  test("tells how many places are left on each date to come, and what is full or called off", async () => {
    const shown = await departures().getByRole("article").locator("strong").allInnerTexts();
    expect(shown).toEqual(["1 place left", "Full", "Cancelled"]);
  });

  test("lets one call to book, and write with course and date in the subject", async () => {
    const [first, full] = [departures().getByRole("article").nth(0), departures().getByRole("article").nth(1)];
    expect(await first.getByRole("link", { name: "Call to Book" }).getAttribute("href")).toBe(provider.phoneHref);
    const mail = new URL((await first.getByRole("link", { name: "Email Us" }).getAttribute("href")) ?? "");
    expect([mail.protocol, mail.pathname]).toEqual(["mailto:", provider.email]);
    expect(mail.searchParams.get("subject")).toBe(`${cctv?.title}, Monday 3 March 2031, 09:00`);
    expect(await full.getByRole("link", { name: "Call to Book" }).count()).toBe(0);
    expect(await full.getByRole("link", { name: "Email Us" }).count()).toBe(1);
  });

  test("gives a calendar file for each date that takes place, in London's time", async () => {
    const links = departures().getByRole("link", { name: "Add to calendar" });
    const hrefs = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
    expect(hrefs).toHaveLength(2);
    const files = await Promise.all(hrefs.map(async (href) => fetch(site.url + href)));
    expect(files.map(({ headers }) => headers.get("content-type"))).toEqual(Array(2).fill("text/calendar; charset=utf-8"));
    const [winter = "", summer = ""] = await Promise.all(files.map((file) => file.text()));
    for (const file of [winter, summer]) expect(file).toMatch(/^BEGIN:VCALENDAR\r\n[\s\S]*SUMMARY:CCTV[\s\S]*END:VCALENDAR\r\n$/);
    expect(winter).toMatch(/DTSTART(;TZID=Europe\/London:20310303T090000|:20310303T090000Z)\r\n/);
    expect(summer).toMatch(/DTSTART(;TZID=Europe\/London:20310707T090000|:20310707T080000Z)\r\n/);
    expect((await fetch(`${site.url}/calendar/${crypto.randomUUID()}.ics`)).status).toBe(404);
  });

  test("shows all that is known of the course", async () => {
    if (!cctv) throw new Error("no such course");
    const text = await page.getByRole("main").innerText();
    const parts = [cctv.description, ...cctv.overview, ...cctv.features, ...cctv.bring, ...cctv.prerequisites, cctv.location];
    const steps = cctv.syllabus.flatMap(({ title, topics }) => topics.concat(title));
    for (const part of [...parts, ...steps]) expect(text).toContain(part);
  });

  test("tells search engines its price and its dates", async () => {
    const graph = await structuredData("/cctv");
    expect(graph).toContainEqual(
      expect.objectContaining({
        "@type": "Course",
        provider: expect.objectContaining({ name: provider.name }),
        offers: expect.objectContaining({ price: 350, priceCurrency: "GBP" }),
        hasCourseInstance: [
          expect.objectContaining({ startDate: "2031-03-03T09:00:00.000Z" }),
          expect.objectContaining({ startDate: "2031-07-07T08:00:00.000Z" }),
          expect.objectContaining({ startDate: "2031-08-04T08:00:00.000Z", eventStatus: "https://schema.org/EventCancelled" }),
        ],
      }),
    );
    expect(graph).toContainEqual(expect.objectContaining({ "@type": "BreadcrumbList" }));
  });

  test("asks to contact the office where there are no dates", async () => {
    await office.from("course_dates").delete().eq("course_name", "Manual Handling");
    await page.goto("/manual-handling");
    await departures().getByText("No dates are set for this course at the moment. Please contact the office").waitFor();
    for (const way of [provider.phone, provider.email]) await departures().getByRole("link", { name: way }).waitFor();
  });

  test("is printed with its dates and without what only a screen needs", async () => {
    await page.goto("/cctv");
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    for (const part of ["Main", "Courses", "Site"])
      expect(await page.getByRole("navigation", { name: part, exact: true }).isVisible()).toBe(false);
    expect(await page.getByRole("button").evaluateAll((all) => all.filter((one) => one.checkVisibility()).length)).toBe(0);
    expect(await departures().isVisible()).toBe(true);
    const dark = await page.evaluate(() =>
      [...document.querySelectorAll("html, body, main, [aria-labelledby=departures], footer div")]
        .filter((element) => element.checkVisibility())
        .map((element) => getComputedStyle(element).backgroundColor)
        .filter((colour) => colour !== "rgba(0, 0, 0, 0)" && colour !== "rgb(255, 255, 255)"),
    );
    expect(dark).toEqual([]);
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    await page.emulateMedia({ media: "screen", colorScheme: "light" });
    expect(height).toBeLessThan(await page.evaluate(() => document.documentElement.scrollHeight));
  });
});

describe("the blog", () => {
  beforeAll(async () => {
    const content = `${"A sentence that goes on. ".repeat(20)}\n\nAsk about First Aid at Work Level 3 and CCTV Operator.`;
    const post = { title: "On & on", slug: "on", content, author: "Jess Airey", published_at: "2026-11-20T09:00Z" };
    const { error } = await office.from("blog_posts").insert(post);
    if (error) throw error;
  });

  test("lists posts, the newest first, each with 150 characters of it, who wrote it, when, and how long it takes to read", async () => {
    await page.goto("/blog");
    const titles = await page.getByRole("heading", { level: 2 }).allInnerTexts();
    expect(titles[0]).toBe("On & on");
    const card = page.getByRole("article").first();
    const excerpt = (await card.locator("p").last().innerText()).trim();
    expect(excerpt).toMatch(/^A sentence that goes on\. .*…$/);
    expect(excerpt.length).toBeGreaterThan(120);
    expect(excerpt.length).toBeLessThanOrEqual(150);
    for (const fact of ["Jess Airey", "20 November 2026", "1 min read"]) await card.getByText(fact, { exact: true }).waitFor();
  });

  test("shows a post with its picture described, and the courses it speaks of with length and price", async () => {
    await page.goto(POST);
    const picture = page.getByRole("article").getByRole("img");
    expect(await picture.getAttribute("alt")).toBe("Picture for “What to pack for your first day of door supervisor training”");
    await page.goto("/blog/on");
    const links = page.getByRole("complementary", { name: "Courses in this post" }).getByRole("listitem");
    expect((await links.allInnerTexts()).slice(0, 2).map((text) => text.replace(/\s+/g, " "))).toEqual([
      "First Aid at Work Level 3 3 days, £300",
      "CCTV Operator 5 days, £350",
    ]);
    await page.getByRole("complementary", { name: "Courses in this post" }).getByRole("link", { name: "CCTV Operator" }).click();
    await page.getByRole("heading", { level: 1, name: "CCTV Operator" }).waitFor();
  });

  test("is a feed that readers can read", async () => {
    await page.goto("/blog");
    const feed = await page.evaluate(async () => {
      const address = document.querySelector<HTMLLinkElement>("link[type='application/rss+xml']")?.href ?? "";
      const answer = await fetch(address);
      const xml = new DOMParser().parseFromString(await answer.text(), "application/xml");
      const items = [...xml.querySelectorAll("item")].map((item) =>
        ["title", "link", "guid", "pubDate"].map((tag) => item.querySelector(tag)?.textContent),
      );
      return { type: answer.headers.get("content-type"), broken: xml.querySelector("parsererror") !== null, items };
    });
    expect([feed.type, feed.broken, feed.items.length]).toEqual(["application/rss+xml; charset=utf-8", false, 4]);
    const link = `${site.url}/blog/on`;
    expect(feed.items[0]).toEqual(["On & on", link, link, "Fri, 20 Nov 2026 09:00:00 GMT"]);
  });

  test("without posts says so", async () => {
    const { error } = await office.from("blog_posts").delete().not("id", "is", null);
    if (error) throw error;
    await page.goto("/blog");
    await page.getByText("No blog posts available yet.").waitFor();
    expect(await (await fetch(`${site.url}/blog/rss.xml`)).text()).not.toContain("<item>");
  });
});

describe("every page", () => {
  test.each(["/", "/cctv", "/blog", "/privacy-policy", "/terms-conditions", "/enquiry"])(
    "tells previews and search engines what it is: %s",
    async (path) => {
      await page.goto(path);
      const head = await page.evaluate(() => ({
        title: document.title,
        canonical: document.querySelector<HTMLLinkElement>("link[rel=canonical]")?.href,
        ...Object.fromEntries([...document.querySelectorAll("meta")].map((tag) => [tag.getAttribute("property") ?? tag.name, tag.content])),
      }));
      expect(head).toMatchObject({
        title: expect.stringContaining(provider.name),
        canonical: site.url + path,
        "og:url": site.url + path,
        "og:title": head.title,
        "og:site_name": provider.name,
        "og:image:width": "1200",
        "og:image:height": "630",
        "twitter:card": "summary_large_image",
      });
      const { description, "og:image": image = "" }: Record<string, string | undefined> = head;
      expect(description?.length).toBeGreaterThan(20);
      expect(description?.length).toBeLessThanOrEqual(160);
      const { width, height } = await sharp(await (await fetch(image)).bytes()).metadata();
      expect([width, height]).toEqual([1200, 630]);
    },
  );

  test("can be found by search engines, which are told where they are listed", async () => {
    const robots = await (await fetch(`${site.url}/robots.txt`)).text();
    expect(robots).toContain("Allow: /\n");
    expect(robots).toContain(`Sitemap: ${site.url}/sitemap.xml`);
  });

  test("of a course has a picture of its own for previews", async () => {
    const images = await Promise.all(
      courses.map(async ({ link }) => /og:image" content="([^"]+)"/.exec(await (await fetch(site.url + link)).text())?.[1]),
    );
    expect(images).toEqual(courses.map(({ id }) => `${site.url}/social/${id}.jpg`));
  });

  test("of home says who we are, with what is to be seen on it", async () => {
    const [organisation] = await structuredData("/");
    expect(organisation).toMatchObject({ "@type": ["LocalBusiness", "EducationalOrganization"], telephone: provider.phoneHref.slice(4) });
    await page.goto("/");
    const text = (await page.locator("body").innerText()).toLowerCase();
    const shown = [provider.phone, provider.email, provider.address.street, "4.9 out of 5, from 127 ratings", "£50 to £2,500"];
    for (const fact of [...shown, "cash, card or bank transfer", "Within 50 km", "2020", provider.openingHours.text])
      expect(text).toContain(fact.toLowerCase());
  });

  test("has the icons that browsers and phones ask for", async () => {
    const { icons } = await (await fetch(`${site.url}/site.webmanifest`)).json();
    const sizes = await Promise.all(
      icons.map(async ({ src, sizes: said }: { src: string; sizes: string }) => {
        const { width, height } = await sharp(await (await fetch(site.url + src)).bytes()).metadata();
        return said === "any" || said === `${width}x${height}`;
      }),
    );
    expect(sizes).toEqual([true, true, true]);
    const touch = await sharp(await (await fetch(`${site.url}/apple-touch-icon.png`)).bytes()).metadata();
    expect([touch.width, touch.height, touch.hasAlpha]).toEqual([180, 180, false]);
    expect((await (await fetch(`${site.url}/favicon.ico`)).bytes()).subarray(0, 4)).toEqual(new Uint8Array([0, 0, 1, 0]));
  });
});

describe("a visit", () => {
  test.each([
    ["/", true],
    ["/cctv", true],
    ["/blog", true],
    ["/enquiry", false],
    ["/privacy-policy", false],
    ["/nowhere", false],
  ])("of %s is told to the statistics: %s", async (path, told) => {
    expect((await (await fetch(site.url + path)).text()).includes('name="visit-key"')).toBe(told);
  });

  test("that cannot be told is no trouble but for a line in the console", async () => {
    const visitor = await openPage(browser, { baseURL: site.url });
    const [lines, trouble]: [string[], string[]] = [[], []];
    visitor.on("console", (message) => message.type() === "warning" && lines.push(message.text()));
    visitor.on("pageerror", (error) => trouble.push(error.message));
    await visitor.route("**/functions/v1/record-page-view", (route) => route.fulfill({ status: 500, body: "{}" }));
    await visitor.goto("/blog");
    await expect.poll(() => lines).toEqual([expect.stringContaining("The page view was not recorded.")]);
    expect(trouble).toEqual([]);
    await visitor.context().close();
  });
});

describe("the scripts", () => {
  test.each([
    ["/", 100],
    ["/cctv", 5],
    ["/blog", 5],
    ["/enquiry", 5],
  ])("of %s are at most %i KB, and nothing of the portal or of supabase-js", async (path, mostKilobytes) => {
    const visitor = await openPage(browser, { baseURL: site.url });
    const scripts: Promise<Buffer>[] = [];
    visitor.on("response", (response) => {
      if (response.headers()["content-type"]?.includes("javascript")) scripts.push(response.body());
    });
    await visitor.goto(path, { waitUntil: "networkidle" });
    const loaded = await Promise.all(scripts);
    const bytes = loaded.reduce((sum, body) => sum + gzipSync(body, { level: 9 }).length, 0);
    expect(bytes).toBeGreaterThan(500);
    expect(bytes).toBeLessThanOrEqual(mostKilobytes * 1024);
    for (const body of loaded) expect(body.toString("utf8")).not.toMatch(/PostgrestClient|GoTrueClient|supabase-js|Course Management/);
    await visitor.context().close();
  });
});

describe("an enquiry", () => {
  test("of a machine is thanked for and not kept", async () => {
    const body = new URLSearchParams({
      name: "Bot",
      reply_to: "bot@mail.example",
      course: "",
      message: "Buy",
      website: "https://x.example",
    });
    const answer = await fetch(`${site.url}/enquiry`, { method: "POST", body, redirect: "manual", headers: { Origin: site.url } });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/enquiry/thanks"]);
    expect((await office.from("enquiries").select("id")).data).toEqual([]);
  });

  test("with a form service is made there, which hears of nobody before they ask for it", async () => {
    await using dataDir = await startedDirectory();
    await using embedding = await startProcess("site/server.ts", {
      DATA_DIR: dataDir.path,
      ENQUIRY_FORM_URL: "https://forms.example/larkfell",
    });
    const visitor = await openPage(browser, { baseURL: embedding.url });
    const asked: string[] = [];
    await visitor.route("https://forms.example/**", (route) => {
      asked.push(route.request().url());
      return route.fulfill({ contentType: "text/html", body: "<label>Your name <input></label>" });
    });
    await visitor.goto("/");
    await visitor.getByText("It comes from forms.example").scrollIntoViewIfNeeded();
    const open = visitor.getByRole("link", { name: "Open the enquiry form" });
    expect(await open.getAttribute("href")).toBe("https://forms.example/larkfell");
    expect(asked).toEqual([]);
    await hydrated(visitor);
    await open.click();
    await visitor.frameLocator("iframe[title='Enquiry form']").getByLabel("Your name").waitFor();
    expect(asked).toEqual(["https://forms.example/larkfell"]);
    await visitor.context().close();
  });
});

describe("with the backend away", () => {
  let alone: RunningProcess;
  let visitor: Page;
  beforeAll(async () => {
    const env = { SUPABASE_URL: "http://127.0.0.1:9", SUPABASE_PUBLISHABLE_KEY: "sb_publishable_nobody" };
    alone = cleanup.use(await startProcess("site/server.ts", env, "/robots.txt"));
    visitor = await openPage(browser, { baseURL: alone.url });
  });

  test.each([
    ["/", 200, "No upcoming courses scheduled at the moment."],
    ["/cctv", 200, "No dates are set for this course at the moment."],
    ["/blog", 503, "Failed to load blog posts. Please try again later."],
    ["/blog/anything", 503, "Failed to load blog post. Please try again later."],
    ["/nowhere", 404, "Page not found"],
  ])("%s says so or shows nothing, and how to call", async (path, status, words) => {
    const answer = await visitor.goto(path);
    expect(answer?.status()).toBe(status);
    await visitor.getByRole("main").getByText(words).waitFor();
    expect(await visitor.getByRole("main").getByRole("link", { name: provider.phone }).first().getAttribute("href")).toBe(
      provider.phoneHref,
    );
  });

  test("a calendar file that cannot be made, or a page, says how to call", async () => {
    const calendar = await fetch(`${alone.url}/calendar/${crypto.randomUUID()}.ics`);
    expect([calendar.status, calendar.headers.get("content-type")]).toEqual([503, "text/plain; charset=utf-8"]);
    expect(await calendar.text()).toContain(`call us on ${provider.phone}`);
    const page500 = await fetch(`${alone.url}/enquiry`, { method: "POST", body: "nonsense", headers: { Origin: alone.url } });
    expect(page500.status).toBe(500);
    const html = await page500.text();
    expect(html).toContain("Something went wrong");
    expect(html).toContain(provider.phoneHref);
    expect(html).not.toMatch(/at .+:\d+:\d+/);
  });

  test("an enquiry that cannot be kept is not lost", async () => {
    await visitor.goto("/enquiry");
    await visitor.getByLabel("Your name").fill("Sam");
    await visitor.getByLabel("E-mail or phone").fill("sam@reed.example");
    await visitor.getByLabel("Your question").fill("When is the next one?");
    await visitor.getByRole("button", { name: "Send your question" }).click();
    await visitor.getByText("Your question could not be sent just now.").waitFor();
    expect(await visitor.getByLabel("Your question").inputValue()).toBe("When is the next one?");
  });
});

async function structuredData(path: string): Promise<unknown[]> {
  await page.goto(path);
  const text = (await page.locator("script[type='application/ld+json']").textContent()) ?? "";
  return JSON.parse(text)["@graph"];
}
