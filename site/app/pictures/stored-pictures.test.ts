import { describe, expect, test } from "vitest";
import { renderMarkdown } from "../posts/markdown.ts";
import { pictureAttributes, previewOf, storedAddress, storedPicture } from "./stored-pictures.ts";

const NAME = "practice-room-3f9a1c2b-2400x1600.jpg";
const DRAWN = `/storage/v1/render/image/public/post-images/${NAME}`;

describe("a stored picture", () => {
  test("has four widths in its srcset, and its own width and height", () => {
    expect(pictureAttributes(storedAddress(NAME), "42rem")).toEqual({
      src: `${DRAWN}?width=1200&resize=contain`,
      srcSet: [480, 800, 1200, 1600].map((width) => `${DRAWN}?width=${width}&resize=contain ${width}w`).join(", "),
      sizes: "42rem",
      width: 2400,
      height: 1600,
    });
  });

  test("has no width in its srcset that is larger than its own", () => {
    const attributes = pictureAttributes(storedAddress("plan-3f9a1c2b-1000x700.png"), "42rem");
    expect("srcSet" in attributes && attributes.srcSet.match(/ \d+w/g)).toEqual([" 480w", " 800w", " 1000w"]);
    expect(attributes.src).toContain("width=1000&");
    const small = pictureAttributes(storedAddress("icon-3f9a1c2b-64x64.png"), "42rem");
    expect("srcSet" in small && small.srcSet.match(/ \d+w/g)).toEqual([" 64w"]);
  });

  test("has an Open Graph image in its own format, with its size unless it is small", () => {
    const address = `${DRAWN}?width=1200&height=630&resize=cover&format=origin`;
    expect(previewOf(storedAddress(NAME))).toEqual({ address, size: { width: 1200, height: 630 } });
    expect(previewOf(storedAddress("plan-3f9a1c2b-1000x700.png"))).not.toHaveProperty("size");
  });
});

test.each([
  "https://elsewhere.example/storage/v1/object/public/post-images/practice-room-3f9a1c2b-2400x1600.jpg",
  "/images/blog/kit-bag.svg",
  "/storage/v1/object/public/other/practice-room-3f9a1c2b-2400x1600.jpg",
  "/storage/v1/object/public/post-images/holiday.jpg",
  "/storage/v1/object/public/post-images/../secret-1x1.jpg",
])("%s is left unchanged", (address) => {
  expect(storedPicture(address)).toBeNull();
  expect(pictureAttributes(address, "42rem")).toEqual({ src: address });
  expect(previewOf(address)).toEqual({ address });
});

describe("a text", () => {
  test("gives a stored picture a srcset, width and height", () => {
    const html = renderMarkdown(`![Learners bandaging a “casualty”](${storedAddress(NAME)})`);
    expect(html).toContain('alt="Learners bandaging a “casualty”"');
    expect(html).toContain(`${DRAWN}?width=1600&#x26;resize=contain 1600w`);
    expect(html).toContain('width="2400" height="1600"');
    expect(html).toContain('loading="lazy"');
    expect(html).toMatch(/sizes="[^"]+rem/);
  });

  test("gives an external picture lazy loading and changes nothing else", () => {
    expect(renderMarkdown("![A boat](https://pictures.example/boat.jpg)")).toBe(
      '<p><img src="https://pictures.example/boat.jpg" alt="A boat" loading="lazy"></p>',
    );
  });
});
