import { expect, test } from "vitest";
import { csvOf } from "../lists/csv/csv-file.ts";
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

test("the file of the list has every field of a post, times in two columns, and empty cells for missing values", () => {
  const draft = { ...post, title: "=1+1", slug: null, image_url: null, published_at: null };
  expect(csvOf(postColumns, [post, draft]).slice(1).trim().split("\r\n")).toEqual([
    '"Title","Author","Address","Image","Published","Published, time","Added","Added, time","Changed","Changed, time","Post id"',
    '"Snow, and ice","Jo","snow-and-ice","/images/snow.webp","2029-12-03","09:00","2029-12-01","09:00","2029-12-02","09:00","p1"',
    `"'=1+1","Jo",,,,,"2029-12-01","09:00","2029-12-02","09:00","p1"`,
  ]);
});
