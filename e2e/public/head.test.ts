import { courses } from "content/courses/index.ts";
import { provider } from "content/provider.ts";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { DESK, openPublicSite, structuredData } from "../support/public-site.ts";

// Meta tags, structured data and icons of public pages.

const site = openPublicSite();
let page: Page;

beforeAll(async () => {
  page = await site.open({ viewport: DESK });
});

describe("every page", () => {
  test.each(["/", "/cctv", "/blog", "/privacy-policy", "/terms-conditions", "/enquiry"])(
    "has meta tags for previews and search engines: %s",
    async (path) => {
      await page.goto(path);
      const head = await page.evaluate(() => ({
        title: document.title,
        canonical: document.querySelector<HTMLLinkElement>("link[rel=canonical]")?.href,
        ...Object.fromEntries([...document.querySelectorAll("meta")].map((tag) => [tag.getAttribute("property") ?? tag.name, tag.content])),
      }));
      expect(head).toMatchObject({
        title: expect.stringContaining(provider.name),
        canonical: site.url() + path,
        "og:url": site.url() + path,
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

  test("gives the browser the colour of its background in both colour schemes", async () => {
    await page.goto("/blog");
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      const [theme, background] = await page.evaluate((scheme) => {
        const probe = document.createElement("p");
        probe.style.color = document.querySelector<HTMLMetaElement>(`meta[name=theme-color][media*=${scheme}]`)?.content ?? "";
        document.body.append(probe);
        return [getComputedStyle(probe).color, getComputedStyle(document.documentElement).backgroundColor];
      }, colorScheme);
      expect(theme).toBe(background);
    }
    await page.emulateMedia({ colorScheme: "light" });
  });

  test("can be found by search engines through robots.txt and the sitemap", async () => {
    const robots = await (await fetch(`${site.url()}/robots.txt`)).text();
    expect(robots).toContain("Allow: /\n");
    expect(robots).toContain(`Sitemap: ${site.url()}/sitemap.xml`);
  });

  test.each(courses)("of $id has an image for previews whose address changes with its price", async ({ id, link, title, price }) => {
    const html = await (await fetch(site.url() + link)).text();
    const tag = (name: string): string | undefined => new RegExp(`"${name}" content="([^"]+)"`).exec(html)?.[1]?.replaceAll("&amp;", "&");
    expect(tag("og:image")).toMatch(new RegExp(`^${site.url()}/social/${id}\\.jpg\\?v=[\\w-]+$`));
    for (const fact of [title, `£${price.toLocaleString("en-GB")}`, provider.address.locality]) expect(tag("og:image:alt")).toContain(fact);
  });

  test.each(["cctv", "site"])("can be shared with the image of %s, drawn with the name of the provider", async (name) => {
    const response = await fetch(`${site.url()}/social/${name}.jpg`);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
    const { data, info } = await sharp(await response.bytes())
      .extract({ left: 146, top: 75, width: 320, height: 40 })
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(info.width).toBe(320);
    expect(data.filter((brightness) => brightness < 90).length).toBeGreaterThan(300);
    expect((await fetch(`${site.url()}/social/nowhere.jpg`)).status).toBe(404);
  });

  test("of home has structured data of the provider that agree with the visible text", async () => {
    const [organisation, website] = await structuredData(page, "/");
    expect(website).toMatchObject({ "@type": "WebSite", name: provider.name });
    expect(organisation).toMatchObject({ "@type": ["LocalBusiness", "EducationalOrganization"], telephone: provider.phoneHref.slice(4) });
    await page.goto("/");
    const text = (await page.locator("body").innerText()).toLowerCase();
    const shown = [provider.phone, provider.email, provider.address.street, "4.9 out of 5, from 127 ratings", "£50 to £2,500"];
    for (const fact of [...shown, "cash, card or bank transfer", "Within 50 km", "2020", provider.openingHours.text])
      expect(text).toContain(fact.toLowerCase());
  });

  test("has the icons that browsers and phones request", async () => {
    const { icons } = await (await fetch(`${site.url()}/site.webmanifest`)).json();
    const sizes = await Promise.all(
      icons.map(async ({ src, sizes: said }: { src: string; sizes: string }) => {
        const { width, height } = await sharp(await (await fetch(site.url() + src)).bytes()).metadata();
        return said === "any" || said === `${width}x${height}`;
      }),
    );
    expect(sizes).toEqual([true, true, true, true]);
    const maskable = icons.find(({ purpose }: { purpose?: string }) => purpose === "maskable");
    const cut = sharp(await (await fetch(site.url() + maskable?.src)).bytes());
    expect((await cut.metadata()).hasAlpha).toBe(false);
    const touch = await sharp(await (await fetch(`${site.url()}/apple-touch-icon.png`)).bytes()).metadata();
    expect([touch.width, touch.height, touch.hasAlpha]).toEqual([180, 180, false]);
    expect((await (await fetch(`${site.url()}/favicon.ico`)).bytes()).subarray(0, 4)).toEqual(new Uint8Array([0, 0, 1, 0]));
  });
});

describe("the contact block", () => {
  test.each([
    ["in a sentence", "/blog/nobody-wrote-this", "main address"],
    ["one under the other", "/", "#contact address"],
    ["at the foot", "/cctv", "footer address"],
    ["as a panel", "/enquiry", "main address"],
  ])("shows %s the name, the address, the phone number and the e-mail address: %s", async (_how, path, place) => {
    await page.goto(path);
    const block = page.locator(place).first();
    const { name, address, phone, phoneHref, email } = provider;
    const said = (await block.textContent()) ?? "";
    for (const fact of [name, address.street, address.locality, address.postalCode, phone, email]) expect(said).toContain(fact);
    const links = await block.getByRole("link", { includeHidden: true }).evaluateAll((all) => all.map((link) => link.getAttribute("href")));
    expect(links).toEqual(expect.arrayContaining([phoneHref, `mailto:${email}`]));
  });
});

describe("a visit", () => {
  test("of an unknown page is not reported to the statistics", async () => {
    expect(await (await fetch(`${site.url()}/nowhere`)).text()).not.toContain('name="visit-key"');
  });

  test("that cannot be reported only logs a line to the console", async () => {
    const visitor = await site.open();
    const [lines, errors]: [string[], string[]] = [[], []];
    visitor.on("console", (message) => message.type() === "warning" && lines.push(message.text()));
    visitor.on("pageerror", (error) => errors.push(error.message));
    await visitor.route("**/functions/v1/record-page-view", (route) => route.continue({ postData: "{}" }));
    await visitor.goto("/blog");
    await expect.poll(() => lines).toEqual([expect.stringContaining("The page view was not recorded.")]);
    expect(errors).toEqual([]);
    await visitor.context().close();
  });
});
