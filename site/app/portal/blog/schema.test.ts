import { describe, expect, test } from "vitest";
import { LONGEST_AUTHOR, LONGEST_CONTENT, LONGEST_IMAGE_URL, LONGEST_TITLE, NOW } from "./fields.ts";
import { checkPost, postStatus } from "./schema.ts";

const filledIn = { title: "What to bring", author: "Rowan Fell", content: "A **coat**.", image_url: "" };
const noon = new Date("2027-01-11T12:00:00Z");

function check(changes: Record<string, string> = {}): ReturnType<typeof checkPost> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...filledIn, ...changes })) form.set(name, value);
  return checkPost(form, noon);
}

describe("checkPost", () => {
  test("accepts a post: the slug comes from the title, a missing image is null, and it is published now", () => {
    expect(check()).toEqual({
      ok: true,
      value: { ...filledIn, image_url: null, slug: "what-to-bring", published_at: NOW },
    });
  });

  test("turns a given address into a slug", () => {
    expect(check({ slug: "coats" })).toMatchObject({ value: { slug: "coats" } });
    expect(check({ slug: " My Coats! " })).toMatchObject({ value: { slug: "my-coats" } });
    expect(check({ title: "Зима", slug: "winter" })).toMatchObject({ value: { title: "Зима", slug: "winter" } });
  });

  test("accepts a future time in London", () => {
    expect(check({ when: "later", publish_at: "2027-07-12T09:00" })).toMatchObject({ value: { published_at: "2027-07-12T08:00:00.000Z" } });
    expect(check({ when: "now", publish_at: "2027-07-12T09:00" })).toMatchObject({ value: { published_at: NOW } });
  });

  test.each([
    ["", "no time"],
    ["2027-01-11T12:00", "this minute"],
    ["2027-01-10T09:00", "a time that is over"],
    ["2027-03-28T01:30", "an hour the clocks skip"],
  ])("refuses to publish later at %j: %s", (publish_at) => {
    expect(check({ when: "later", publish_at })).toMatchObject({ ok: false, field: "publish_at" });
  });

  test.each(["https://images.example/fell.jpg", "http://images.example/fell%20top.jpg?w=1", "/images/blog/kit-bag.svg"])(
    "takes the image %s",
    (image_url) => {
      expect(check({ image_url })).toMatchObject({ ok: true, value: { image_url } });
    },
  );

  test("counts characters as Postgres does, not UTF-16 units", () => {
    expect(check({ author: "🏔".repeat(LONGEST_AUTHOR) }).ok).toBe(true);
  });

  test.each([
    ["title", "", "no title"],
    ["title", "   ", "only spaces"],
    ["title", "!?!", "no letter or digit"],
    ["title", "x".repeat(LONGEST_TITLE + 1), "a title too long"],
    ["author", " ", "no author"],
    ["author", "x".repeat(LONGEST_AUTHOR + 1), "an author too long"],
    ["content", "\n", "no content"],
    ["content", "x".repeat(LONGEST_CONTENT + 1), "content too long"],
    ["image_url", "fell.jpg", "no address"],
    ["image_url", "//images.example/fell.jpg", "an address without its beginning"],
    ["slug", "!?!", "an address without letter or digit"],
    ["image_url", "javascript:alert(1)", "a script"],
    ["image_url", "https://images.example/fell top.jpg", "a space in the address"],
    ["image_url", `https://images.example/${"x".repeat(LONGEST_IMAGE_URL)}`, "an address too long"],
  ])("refuses %s %j, naming the field: %s", (field, value) => {
    expect(check({ [field]: value })).toMatchObject({ ok: false, field });
  });
});

test("a post is a draft, scheduled or published", () => {
  const status = (published_at: string | null) => postStatus({ published_at, updated_at: "2027-01-11T11:00:00+00:00" }, noon);
  expect([null, "2027-01-11T12:00:01+00:00", "2027-01-11T12:00:00+00:00"].map(status)).toEqual(["draft", "scheduled", "published"]);
});

test("a post that was published before its last change is published, although the clock of the computer is behind", () => {
  expect(postStatus({ published_at: "2027-01-12T12:00:00+00:00", updated_at: "2027-01-12T12:00:00.01+00:00" }, noon)).toBe("published");
});
