import { describe, expect, test } from "vitest";
import { renderMarkdown } from "../../../posts/markdown.ts";
import { pictureOfName, storedAddress } from "../../../pictures/stored-pictures.ts";
import { imageMarkdown, imageName, imageTitle } from "./picture-name.ts";

describe("a picture's name", () => {
  test.each([
    ["Practice Room.JPG", "practice-room"],
    ["Café à Penrith.png", "cafe-a-penrith"],
    ["IMG_20261121_120000.heic", "img-20261121-120000"],
    ["写真.jpg", "picture"],
    ["--..--", "picture"],
    ["a/../../b.jpg", "a-b"],
    ["x".repeat(300), "x".repeat(60)],
  ])("%s is stored as %s, with its size", (fileName, words) => {
    const name = imageName(fileName, { type: "image/jpeg", width: 2400, height: 1600 });
    expect(name).toMatch(new RegExp(`^${words}-[0-9a-f]{8}-2400x1600\\.jpg$`));
    expect(pictureOfName(name)).toEqual({ name, width: 2400, height: 1600 });
    expect(name.length).toBeLessThanOrEqual(120);
  });

  test("two of one file differ", () => {
    const size = { type: "image/webp", width: 10, height: 10 };
    expect(imageName("a.webp", size)).not.toBe(imageName("a.webp", size));
  });

  test("is shown as words", () => {
    expect(imageTitle("practice-room-3f9a1c2b-2400x1600.jpg")).toBe("practice room");
  });
});

test.each(["A [bracket] and a \\ slash", "two\nlines", "](javascript:alert(1))", "**bold** _and_ `code`", "a < b &amp; c > d", "~~no~~"])(
  "the words %j arrive in the page as they were typed",
  (alt) => {
    const html = renderMarkdown(imageMarkdown(alt, storedAddress("a-3f9a1c2b-10x10.jpg")));
    expect(html.match(/<\w+/g)).toEqual(["<p", "<img"]);
    const shown = /alt="([^"]*)"/.exec(html)?.[1]?.replaceAll("&#x26;", "&").replaceAll("&#x60;", "`");
    expect(shown).toBe(alt.replaceAll("\n", " "));
  },
);
