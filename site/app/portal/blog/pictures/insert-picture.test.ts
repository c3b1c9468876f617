import { expect, test } from "vitest";
import { storedAddress } from "../../../pictures/stored-pictures.ts";
import { renderMarkdown } from "../../../posts/markdown.ts";
import { insertPicture } from "./insert-picture.ts";

const picture = { name: "a-3f9a1c2b-10x10.jpg", width: 10, height: 10 };
const MARKDOWN = `![Alt](${storedAddress(picture.name)})`;

test.each([
  ["", 0, 0, "P\n\n"],
  ["Before", 6, 6, "Before\n\nP\n\n"],
  ["Before\n", 7, 7, "Before\n\nP\n\n"],
  ["Before\n\nAfter", 8, 8, "Before\n\nP\n\nAfter"],
  ["Before\n\nAfter", 6, 6, "Before\n\nP\n\nAfter"],
  ["BeforeAfter", 6, 6, "Before\n\nP\n\nAfter"],
  ["Before OLD After", 7, 10, "Before \n\nP\n\n After"],
])("inserted into %j from %i to %i, a picture becomes its own paragraph", (text, from, to, expected) => {
  const change = insertPicture(text, from, to, picture, "Alt");
  expect(text.slice(0, change.from) + change.text + text.slice(change.to)).toBe(expected.replace("P", MARKDOWN));
  expect([change.start, change.end]).toEqual([from + change.text.length, from + change.text.length]);
});

test.each([
  ["a **bold** word", 6, "a **bold** word\n\nP\n\n"],
  ["a _slanted_ word\nand more", 6, "a _slanted_ word\n\nP\n\nand more"],
])("inserted into bold or italic words of %j, a picture follows their line", (text, at, expected) => {
  const change = insertPicture(text, at, at, picture, "Alt");
  expect(text.slice(0, change.from) + change.text + text.slice(change.to)).toBe(expected.replace("P", MARKDOWN));
});

test.each(["A [bracket] and a \\ slash", "two\nlines", "](javascript:alert(1))", "**bold** _and_ `code`", "a < b &amp; c > d", "~~no~~"])(
  "the alternative text %j is shown in the page as it was typed",
  (alt) => {
    const html = renderMarkdown(insertPicture("", 0, 0, picture, alt).text);
    expect(html.match(/<\w+/g)).toEqual(["<p", "<img"]);
    const shown = /alt="([^"]*)"/.exec(html)?.[1]?.replaceAll("&#x26;", "&").replaceAll("&#x60;", "`");
    expect(shown).toBe(alt.replaceAll("\n", " "));
  },
);
