import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { checkPost, LONGEST_AUTHOR, LONGEST_CONTENT, LONGEST_IMAGE_URL, LONGEST_TITLE } from "./schema.ts";

const filledIn = { title: "What to bring", author: "Rowan Fell", content: "A **coat**.", image_url: "" };

function check(changes: Partial<typeof filledIn> = {}): ReturnType<typeof checkPost> {
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...filledIn, ...changes })) form.set(name, value);
  return checkPost(form);
}

describe("checkPost", () => {
  test("takes a post, no image as null and the slug of its title", () => {
    expect(check()).toEqual({
      ok: true,
      value: { title: "What to bring", author: "Rowan Fell", content: "A **coat**.", image_url: null, slug: "what-to-bring" },
    });
  });

  test.each(["https://images.example/fell.jpg", "http://images.example/fell%20top.jpg?w=1"])("takes the image %s", (image_url) => {
    expect(check({ image_url })).toMatchObject({ ok: true, value: { image_url } });
  });

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
    ["image_url", "javascript:alert(1)", "a script"],
    ["image_url", "https://images.example/fell top.jpg", "a space in the address"],
    ["image_url", `https://images.example/${"x".repeat(LONGEST_IMAGE_URL)}`, "an address too long"],
  ])("refuses %s %j, naming the field: %s", (field, value) => {
    expect(check({ [field]: value })).toMatchObject({ ok: false, field });
  });
});

test("the limits are those of the database", () => {
  const migration = readFileSync(new URL("../../../../../supabase/migrations/20261101090300_blog_posts.sql", import.meta.url), "utf8");
  expect(migration).toContain(`char_length(btrim(title)) between 1 and ${LONGEST_TITLE})`);
  expect(migration).toContain(`char_length(btrim(author)) between 1 and ${LONGEST_AUTHOR})`);
  expect(migration).toContain(`char_length(btrim(content)) between 1 and ${LONGEST_CONTENT})`);
  expect(migration).toContain(`char_length(image_url) <= ${LONGEST_IMAGE_URL}`);
});
