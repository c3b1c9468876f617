import { expect, test } from "vitest";
import { courseWords } from "./course-words.ts";

test.each([
  ["Emergency First Aid", "efa"],
  ["Emergency First Aid Work Level 3", "efaw"],
  ["First Aid at Work", "faw"],
  ["First Aid at Work", "faaw"],
  ["Lvl 2 Door Supervisor", "ds"],
  ["Health & Safety in Workplace Level 1", "hsw"],
])("%s is found by %j", (name, words) => {
  expect(courseWords(name)).toContain(words);
});
