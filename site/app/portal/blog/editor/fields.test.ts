import { expect, test } from "vitest";
import { isEmpty, unlike, withTheirs, type Fields } from "./fields.ts";

const before: Fields = { title: "Winter", author: "Jo", image_url: "", slug: "winter", content: "Bring a coat." };

test("what a colleague wrote comes in where nothing was typed, and nothing that was typed gives way", () => {
  const typed = { ...before, content: "Bring a hat." };
  const theirs = { ...before, author: "Jo Airey", content: "Bring boots." };
  expect(withTheirs(typed, before, theirs)).toEqual({ ...before, author: "Jo Airey", content: "Bring a hat." });
});

test("two versions tell where they differ", () => {
  expect(unlike(before, before)).toBeNull();
  expect(unlike({ ...before, content: "Bring a hat." }, { ...before, author: "" })).toBe(
    "Author: “Jo” here, nothing there. Content: “hat.” here, “coat.” there.",
  );
});

test("an author alone is no draft", () => {
  expect(isEmpty({ ...before, title: " ", content: "\n", slug: "" })).toBe(true);
  expect(isEmpty({ ...before, title: "" })).toBe(false);
});
