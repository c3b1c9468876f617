import { expect, test } from "vitest";
import { csvOf } from "../lists/csv.ts";
import { postColumns, type ListedPost } from "./fields.ts";

const post: ListedPost = {
  id: "p1",
  title: "Snow, and ice",
  author: "Jo",
  slug: "snow-and-ice",
  image_url: "/images/snow.webp",
  published_at: "2029-12-03T09:00:00+00:00",
  created_at: "2029-12-01T09:00:00+00:00",
  updated_at: "2029-12-02T09:00:00+00:00",
};

test("every field of a listed post has a column, which is empty for a missing value", () => {
  const draft = { ...post, title: "=1+1", slug: null, image_url: null, published_at: null };
  const [heading, ...lines] = csvOf(postColumns, [post, draft]).slice(1).trim().split("\r\n");
  expect(heading?.split(",")).toHaveLength(Object.keys(post).length);
  expect(lines).toEqual([
    '"p1","Snow, and ice","Jo","snow-and-ice","/images/snow.webp","2029-12-03T09:00:00+00:00","2029-12-01T09:00:00+00:00","2029-12-02T09:00:00+00:00"',
    `"p1","'=1+1","Jo",,,,"2029-12-01T09:00:00+00:00","2029-12-02T09:00:00+00:00"`,
  ]);
});
