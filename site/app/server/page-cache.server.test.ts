import { expect, onTestFinished, test, vi } from "vitest";
import { createPageCache, type RenderedPage } from "./page-cache.server.ts";

const RELATIONS = new Set(["public.course_dates"]);

function page(body: string, status = 200, complete = true, expires = Infinity): () => Promise<RenderedPage> {
  return () =>
    Promise.resolve({
      response: new Response(body, { status, headers: { "Content-Type": "text/html" } }),
      relations: RELATIONS,
      complete,
      expires,
    });
}

function get(path: string, headers: Record<string, string> = {}, method = "GET"): Request {
  return new Request(`http://site.example${path}`, { method, headers });
}

test("a page is rendered once and then sent from the cache", async () => {
  const cache = createPageCache(60_000);
  const render = vi.fn(page("first"));
  await cache.respond(get("/"), render);
  const again = await cache.respond(get("/"), render);
  expect(await again.text()).toBe("first");
  expect(render).toHaveBeenCalledTimes(1);
});

test("a page is dropped when a table it was made from changes, and stays when another one does", async () => {
  const cache = createPageCache(60_000);
  await cache.respond(get("/"), page("before"));
  cache.drop("public.blog_posts");
  expect(await (await cache.respond(get("/"), page("after"))).text()).toBe("before");
  cache.drop("public.course_dates");
  expect(await (await cache.respond(get("/"), page("after"))).text()).toBe("after");
});

test("every page is dropped when changes may have been missed", async () => {
  const cache = createPageCache(60_000);
  await cache.respond(get("/"), page("before"));
  cache.drop(null);
  expect(await (await cache.respond(get("/"), page("after"))).text()).toBe("after");
});

test("a page whose table changed while it was rendered is neither stored nor sent to later requests", async () => {
  const cache = createPageCache(60_000);
  const slow = Promise.withResolvers<RenderedPage>();
  const early = cache.respond(get("/"), () => slow.promise);
  cache.drop("public.course_dates");
  const late = await cache.respond(get("/"), page("new"));
  expect(await late.text()).toBe("new");
  slow.resolve(await page("old")());
  expect(await (await early).text()).toBe("old");
  expect(await (await cache.respond(get("/"), page("newer"))).text()).toBe("new");
});

test("requests that arrive together share one render", async () => {
  const cache = createPageCache(60_000);
  const render = vi.fn(page("shared"));
  const responses = await Promise.all(Array.from({ length: 20 }, () => cache.respond(get("/"), render)));
  expect(new Set(await Promise.all(responses.map((response) => response.text())))).toEqual(new Set(["shared"]));
  expect(render).toHaveBeenCalledTimes(1);
});

test("a page with status 404 is sent and not stored", async () => {
  const cache = createPageCache(60_000);
  expect((await cache.respond(get("/nowhere"), page("no", 404))).status).toBe(404);
  expect((await cache.respond(get("/nowhere"), page("yes"))).status).toBe(200);
});

test("a page with a failed read is sent and not stored", async () => {
  const cache = createPageCache(60_000);
  expect(await (await cache.respond(get("/"), page("without dates", 200, false))).text()).toBe("without dates");
  expect(await (await cache.respond(get("/"), page("with dates"))).text()).toBe("with dates");
});

test("a browser that has the page gets 304, and HEAD gets no body", async () => {
  const cache = createPageCache(60_000);
  const first = await cache.respond(get("/"), page("body"));
  const etag = first.headers.get("etag") ?? "";
  expect((await cache.respond(get("/", { "if-none-match": etag }), page("body"))).status).toBe(304);
  const head = await cache.respond(get("/", {}, "HEAD"), page("body"));
  expect([head.status, await head.text(), head.headers.get("content-length")]).toEqual([200, "", "4"]);
});

test.each([
  ["br, gzip", "br"],
  ["gzip", "gzip"],
  ["br;q=0, gzip", "gzip"],
  ["identity", null],
])("Accept-Encoding %s gets Content-Encoding %s", async (accepted, encoding) => {
  const cache = createPageCache(60_000);
  const response = await cache.respond(get("/", { "accept-encoding": accepted }), page("text"));
  expect(response.headers.get("content-encoding")).toBe(encoding);
});

test("a page is compressed at the first request for an encoding, and the compressed bytes count as memory", async () => {
  const cache = createPageCache(60_000, 150);
  const found = (encoding: string) => cache.find({ method: "GET", url: "/", headers: { "accept-encoding": encoding } });
  await cache.respond(get("/", { "accept-encoding": "gzip" }), page("x".repeat(100)));
  expect([found("gzip")?.headers["content-encoding"], found("br")]).toEqual(["gzip", undefined]);
  const both = await Promise.all([1, 2].map(() => cache.respond(get("/", { "accept-encoding": "br" }), page("rendered again"))));
  expect(both.map(({ headers }) => headers.get("content-encoding"))).toEqual(["br", "br"]);
  expect(found("br")?.headers["content-encoding"]).toBe("br");
  await cache.respond(get("/other", { "accept-encoding": "gzip" }), page("y".repeat(20)));
  expect(found("gzip")).toBeUndefined();
});

test("the least recently used page is evicted, so that pages that nobody reads do not replace one that is read", async () => {
  const cache = createPageCache(60_000, 250);
  const found = (url: string) => cache.find({ method: "GET", url, headers: {} }) !== undefined;
  await cache.respond(get("/read"), page("x".repeat(100)));
  for (const name of ["a", "b", "c", "d", "e"]) {
    await cache.respond(get(`/unread-${name}`), page("y".repeat(100)));
    expect(found("/read")).toBe(true);
  }
  expect(["a", "b", "c", "d"].some((name) => found(`/unread-${name}`))).toBe(false);
});

test("a page is rendered again after its lifetime", async () => {
  const cache = createPageCache(0);
  await cache.respond(get("/"), page("first"));
  expect(await (await cache.respond(get("/"), page("second"))).text()).toBe("second");
});

test("a page is rendered again after its lifetime, also if the clock was set back", async () => {
  const cache = createPageCache(60_000);
  await cache.respond(get("/"), page("first"));
  vi.spyOn(Date, "now").mockReturnValue(Date.now() - 7_200_000);
  const later = performance.now() + 61_000;
  vi.spyOn(performance, "now").mockReturnValue(later);
  onTestFinished(() => void vi.restoreAllMocks());
  expect(await (await cache.respond(get("/"), page("second"))).text()).toBe("second");
});

test("a page is not stored beyond its expiry", async () => {
  const cache = createPageCache(60_000);
  await cache.respond(get("/"), page("before", 200, true, Date.now()));
  expect(cache.find({ method: "GET", url: "/", headers: {} })).toBeUndefined();
  await cache.respond(get("/"), page("after", 200, true, Date.now() + 60_000));
  expect(cache.find({ method: "GET", url: "/", headers: {} })).toBeDefined();
});

test("find returns a stored page by method and URL, in the accepted encoding, until a table changes", async () => {
  const cache = createPageCache(60_000);
  const headers = { "accept-encoding": "gzip, br" };
  expect(cache.find({ method: "GET", url: "/", headers })).toBeUndefined();
  const response = await cache.respond(get("/", headers), page("stored"));
  const found = cache.find({ method: "GET", url: "/", headers });
  expect(found?.headers).toEqual(Object.fromEntries(response.headers));
  expect(new Uint8Array(found?.body ?? [])).toEqual(new Uint8Array(await response.arrayBuffer()));
  expect(cache.find({ method: "HEAD", url: "/", headers })).toEqual({ ...found, body: null });
  const etag = found?.headers["etag"] ?? "";
  expect(cache.find({ method: "GET", url: "/", headers: { "if-none-match": etag } })).toMatchObject({ status: 304, body: null });
  expect(cache.find({ method: "POST", url: "/", headers })).toBeUndefined();
  cache.drop("public.course_dates");
  expect(cache.find({ method: "GET", url: "/", headers })).toBeUndefined();
});

test("a page that does not read its query is the same page with any query", async () => {
  const cache = createPageCache(60_000);
  const render = vi.fn(page("one page"));
  await cache.respond(get("/cctv?fbclid=abc"), render);
  expect(render).toHaveBeenCalledExactlyOnceWith("/cctv");
  expect(cache.find({ method: "GET", url: "/cctv?utm_source=news", headers: {} })).toBeDefined();
  expect(cache.find({ method: "GET", url: "/cctv", headers: {} })).toBeDefined();
});

test("a page that reads its query is stored once for each value that it knows", async () => {
  const cache = createPageCache(60_000);
  const query = { category: ["medical", "refresher"] };
  const render = vi.fn((address: string) => page(address)());
  const text = async (path: string) => (await cache.respond(get(path), render, query)).text();
  expect(await text("/?category=medical")).toBe("/?category=medical");
  expect(await text("/?utm_source=news&category=medical&category=other")).toBe("/?category=medical");
  expect(await text("/?category=../../etc")).toBe("/");
  expect(render).toHaveBeenCalledTimes(2);
  const found = (url: string) => new TextDecoder().decode(cache.find({ method: "GET", url, headers: {} })?.body ?? new Uint8Array());
  expect(found("/?x=1&category=medical")).toBe("/?category=medical");
  expect(found("/?x=1")).toBe("/");
  expect(found("/?category=refresher")).toBe("");
});
