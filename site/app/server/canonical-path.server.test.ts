import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalPath } from "./canonical-path.server.ts";

test.each([
  ["/", "/"],
  ["//", "/"],
  ["///blog", "/blog"],
  ["/blog/", "/blog"],
  ["/blog///", "/blog"],
  ["/blog//post", "/blog/post"],
  ["/Admin", "/admin"],
  ["/HEALTH", "/health"],
  ["/%62log", "/blog"],
  ["/%42log", "/blog"],
  ["/caf%c3%a9", "/caf%C3%A9"],
  ["/a%2fb", "/a%2Fb"],
  ["/%2562log", "/%2562log"],
  ["/100%", "/100%25"],
  ["/first-aid_1.0~x", "/first-aid_1.0~x"],
])("%s has the canonical path %s", (path, canonical) => {
  expect(canonicalPath(path)).toBe(canonical);
});

test("a canonical path is its own canonical path, and no browser reads it as another origin", () => {
  const segment = fc.string({ unit: fc.constantFrom("/", "a", "B", "%", "6", "2", "e", ".", "-", "%2f", "%41", "é") });
  fc.assert(
    fc.property(segment, (text) => {
      const { pathname } = new URL(`http://site.example/${text}`);
      const canonical = canonicalPath(pathname);
      expect(canonicalPath(canonical)).toBe(canonical);
      expect(new URL(canonical, "http://site.example").origin).toBe("http://site.example");
    }),
  );
});
