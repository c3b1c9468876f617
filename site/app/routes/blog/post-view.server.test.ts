import { expect, test } from "vitest";
import { toSummary } from "./post-view.server.ts";

test("the summary of a post does not depend on how its later text is nested", () => {
  const post = {
    id: "5e0b1f5c-2a60-4f5d-9d0f-0d4f1a3c9b11",
    title: "Rain",
    slug: "rain",
    content: `Drive slowly.\n\n${"> ".repeat(10_000)}`,
    author: "Jo",
    image_url: null,
    created_at: "2026-11-20T09:00:00Z",
    updated_at: "2026-11-20T09:00:00Z",
    updated_by: null,
    published_at: "2026-11-20T09:00:00Z",
  };
  expect(toSummary(post)).toMatchObject({ path: "/blog/rain", excerpt: "Drive slowly." });
});
