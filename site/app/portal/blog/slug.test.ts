import { anyText } from "backend/test/any-text.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { freeSlug, isSlugOf, slugOf } from "./slug.ts";

describe("slugOf", () => {
  test.each([
    ["Five Things to Know", "five-things-to-know"],
    ["  SIA licence:  what's new?! ", "sia-licence-what-s-new"],
    ["24-hour cover -- at last", "24-hour-cover-at-last"],
    ["Café & Crème", "caf-cr-me"],
    ["---", ""],
    ["Тренировка", ""],
    ["", ""],
  ])("turns %j into the slug %j", (title, slug) => {
    expect(slugOf(title)).toBe(slug);
  });

  test("leaves a slug as it is", () => {
    fc.assert(
      fc.property(anyText(200), (title) => {
        expect(slugOf(slugOf(title))).toBe(slugOf(title));
      }),
    );
  });

  test("gives every title with a letter or digit a slug", () => {
    fc.assert(
      fc.property(anyText(200), fc.constantFrom("a", "Z", "7"), anyText(200), (before, sign, after) => {
        expect(slugOf(before + sign + after)).not.toBe("");
      }),
    );
  });
});

describe("freeSlug", () => {
  test.each([
    ["news", [], "news"],
    ["news", ["news"], "news-2"],
    ["news", ["news", "news-2", "news-4"], "news-3"],
    ["news", ["news-2"], "news"],
  ])("of %s beside %j is %s", (slug, taken, free) => {
    expect(freeSlug(slug, new Set(taken))).toBe(free);
  });

  test("is never one that is taken", () => {
    const slugs = fc.array(fc.constantFrom("news", "news-2", "news-3", "news-4", "other"));
    fc.assert(
      fc.property(slugs, (taken) => {
        expect(taken).not.toContain(freeSlug("news", new Set(taken)));
      }),
    );
  });
});

describe("isSlugOf", () => {
  test.each([
    ["Winter dates", "winter-dates", true],
    ["Winter dates", "winter-dates-12", true],
    ["Winter dates", "winter-dates-and-more", false],
    ["Winter dates", "winter", false],
    ["Winter dates", "", false],
  ])("of %j and %s is %s", (title, slug, own) => {
    expect(isSlugOf(title, slug)).toBe(own);
  });

  test("holds for every slug that is made for a title", () => {
    fc.assert(
      fc.property(anyText(200), fc.array(fc.constantFrom("-2", "-3")), (title, endings) => {
        const slug = slugOf(title);
        expect(isSlugOf(title, freeSlug(slug, new Set([slug, ...endings.map((ending) => slug + ending)])))).toBe(true);
      }),
    );
  });
});
