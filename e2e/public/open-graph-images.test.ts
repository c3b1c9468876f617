import { readFile } from "node:fs/promises";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { STAFF, STAFF_ENV, startProcess, type RunningProcess } from "../support/product.ts";
import { startedDirectory } from "../support/started-directory.ts";

// The picture that messengers and social networks show beside a link to a post without a cover image.

const KEYS = { PUBLISHABLE_KEY: "sb_publishable_links-0123456789abcdef", SECRET_KEY: "sb_secret_links-0123456789abcdef" };

describe.each([
  ["in one process", (dataDir: string) => start("server/build/site.js", { DATA_DIR: dataDir, ...STAFF_ENV, ...KEYS })],
  [
    "with the backend in another process",
    async (dataDir: string) => {
      const { url } = await start("server/build/backend.js", { DATA_DIR: dataDir, ...STAFF_ENV, ...KEYS });
      return start("server/build/site.js", { SUPABASE_URL: url, SUPABASE_PUBLISHABLE_KEY: KEYS.PUBLISHABLE_KEY });
    },
  ],
])("links to posts, %s", (_name, deploy) => {
  let site: RunningProcess;
  let staff: SupabaseClient;

  beforeAll(async () => {
    const dataDir = cleanup.use(await startedDirectory());
    site = await deploy(dataDir.path);
    staff = createClient(site.url, KEYS.PUBLISHABLE_KEY, { auth: { persistSession: false } });
    const { error } = await staff.auth.signInWithPassword(STAFF);
    if (error) throw error;
  });

  async function publish(slug: string, fields: Record<string, unknown> = {}): Promise<void> {
    const post = { slug, title: "Kit lists, kept short", content: "Words.", author: "Jess Airey", published_at: "2026-11-17T09:00Z" };
    const { error } = await staff.from("blog_posts").insert({ ...post, ...fields });
    if (error) throw error;
  }

  async function change(slug: string, fields: Record<string, unknown>): Promise<void> {
    const { error } = await staff.from("blog_posts").update(fields).eq("slug", slug);
    if (error) throw error;
  }

  async function html(slug: string): Promise<string> {
    return (await fetch(`${site.url}/blog/${slug}`)).text();
  }

  /** The content of a meta tag of a page. */
  async function tag(slug: string, name: string): Promise<string | undefined> {
    return new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)"`).exec(await html(slug))?.[1]?.replaceAll("&amp;", "&");
  }

  async function picture(slug: string): Promise<{ address: string; response: Response }> {
    const address = (await tag(slug, "og:image")) ?? "";
    return { address, response: await fetch(address) };
  }

  test("show the title in an image of the size that the page declares", async () => {
    await publish("kit-lists");
    const { address, response } = await picture("kit-lists");
    expect(address).toMatch(/\/social\/blog\/kit-lists\.jpg\?v=[\w-]+$/);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("image/jpeg");
    const { format, width, height } = await sharp(await response.bytes()).metadata();
    expect([format, width, height]).toEqual(["jpeg", 1200, 630]);
    const said = ["og:image:width", "og:image:height", "og:image:alt", "twitter:card", "twitter:image", "twitter:image:alt"];
    expect(await Promise.all(said.map((name) => tag("kit-lists", name)))).toEqual([
      "1200",
      "630",
      "Kit lists, kept short",
      "summary_large_image",
      address,
      "Kit lists, kept short",
    ]);
    const [, graph = ""] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(await html("kit-lists")) ?? [];
    expect(JSON.parse(graph)["@graph"]).toContainEqual(
      expect.objectContaining({ "@type": "BlogPosting", image: expect.objectContaining({ url: address, width: 1200, height: 630 }) }),
    );
  });

  test("are answered with 304 for a client that has the image, and may be cached for a day", async () => {
    const { address, response } = await picture("what-to-pack-for-your-first-day-of-door-supervisor-training");
    const etag = response.headers.get("etag") ?? "";
    expect(response.headers.get("cache-control")).toBe("public, max-age=86400");
    const again = await fetch(address, { headers: { "If-None-Match": etag } });
    expect([again.status, (await again.bytes()).length]).toEqual([304, 0]);
    const bare = await fetch(address.replace(/\?.*/, ""));
    expect([bare.status, bare.headers.get("etag"), bare.headers.get("cache-control")]).toEqual([
      200,
      etag,
      "public, max-age=0, must-revalidate",
    ]);
    const head = await fetch(address, { method: "HEAD" });
    expect([head.status, head.headers.get("content-length")]).toEqual([200, String((await response.bytes()).length)]);
  });

  test("have a new URL when the title, the author or the day changes, and the old URL shows the new title", async () => {
    await publish("changing");
    const addresses = [(await picture("changing")).address];
    for (const fields of [{ title: "Another title" }, { author: "Owen Garth" }, { published_at: "2026-11-18T09:00Z" }]) {
      await change("changing", fields);
      await expect.poll(async () => addresses.includes((await picture("changing")).address)).toBe(false);
      addresses.push((await picture("changing")).address);
    }
    const [old, now] = await Promise.all([addresses[0] ?? "", addresses[3] ?? ""].map((address) => fetch(address)));
    expect(old?.headers.get("cache-control")).toBe("public, max-age=0, must-revalidate");
    expect(await old?.bytes()).toEqual(await now?.bytes());
  });

  test.each([
    [
      "of two hundred letters",
      "A very long title about everything that happened, and then some more of the same. ".repeat(3).slice(0, 200),
    ],
    ["with letters of other languages and emoji", "🎉 Żółć & <Nguyễn>: “kit” — £5 👩‍⚕️"],
    ["of one long word", "W".repeat(200)],
  ])("show a title %s", async (name, title) => {
    const slug = name.replaceAll(" ", "-");
    await publish(slug, { title });
    const { response } = await picture(slug);
    const { format, width, height } = await sharp(await response.bytes()).metadata();
    expect([response.status, format, width, height]).toEqual([200, "jpeg", 1200, 630]);
  });

  test("show the site's default image if the title has characters without a glyph", async () => {
    await publish("elsewhere", { title: "Первая помощь" });
    expect((await picture("elsewhere")).address).toBe(`${site.url}/social/site.jpg`);
    expect((await fetch(`${site.url}/social/blog/elsewhere.jpg`)).status).toBe(404);
  });

  test("show the post's cover image in formats that previews support, with its size if known", async () => {
    const own = "/storage/v1/object/public/post-images/practice-room-3f9a1c2b-2400x1600.jpg";
    await publish("own", { image_url: own });
    expect(await tag("own", "og:image")).toContain("/storage/v1/render/image/public/post-images/practice-room-3f9a1c2b-2400x1600.jpg");
    expect([await tag("own", "og:image:width"), await tag("own", "og:image:alt")]).toEqual(["1200", "Picture for “Kit lists, kept short”"]);
    await publish("elsewhere-own", { image_url: "https://pictures.example/a.jpg" });
    expect([await tag("elsewhere-own", "og:image"), await tag("elsewhere-own", "og:image:width")]).toEqual([
      "https://pictures.example/a.jpg",
      undefined,
    ]);
  });

  test("of posts that are not public have no image", async () => {
    await publish("a-draft", { published_at: null });
    await publish("of-tomorrow", { published_at: new Date(Date.now() + 86_400_000).toISOString() });
    await publish("taken-back");
    const { address, response } = await picture("taken-back");
    expect(response.status).toBe(200);
    await change("taken-back", { published_at: null });
    const missing = ["a-draft", "of-tomorrow", "nobody-wrote-this"].map((slug) => `${site.url}/social/blog/${slug}.jpg`);
    for (const one of [...missing, address]) {
      const answer = await fetch(one, { headers: { "If-None-Match": response.headers.get("etag") ?? "" } });
      expect([one, answer.status, await answer.text(), answer.headers.get("cache-control")]).toEqual([one, 404, "Not found", "no-store"]);
    }
  });

  test.each(["a-draft", "kit-lists.png", "kit-lists.jpg.jpg", "%2e%2e%2fsite.jpg", "kit-lists%00.jpg", `${"a".repeat(4000)}.jpg`])(
    "have no picture called %s",
    async (file) => {
      const response = await fetch(`${site.url}/social/blog/${file}`);
      expect(response.status).toBe(404);
    },
  );

  test("are rendered in a worker process, not in the site's process", async () => {
    await publish("beside");
    expect((await picture("beside")).response.status).toBe(200);
    const maps = await readFile(`/proc/${site.pid}/maps`, "utf8").catch(() => "");
    expect(maps).not.toContain("libvips");
  });
});

const cleanup = new AsyncDisposableStack();
afterAll(() => cleanup.disposeAsync());

async function start(entry: "server/build/site.js" | "server/build/backend.js", env: Record<string, string>): Promise<RunningProcess> {
  return cleanup.adopt(await startProcess(entry, env), async (running) => void (await running.stop()));
}
