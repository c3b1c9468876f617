import { expect, test, vi } from "vitest";
import { pictureOfName } from "../../../pictures/stored-pictures.ts";
import { pictureName, pictureTitle } from "./picture-name.ts";

test.each([
  ["Practice Room.JPG", "practice-room"],
  ["Café à Penrith.png", "cafe-a-penrith"],
  ["IMG_20261121_120000.heic", "img-20261121-120000"],
  ["写真.jpg", "picture"],
  ["--..--", "picture"],
  ["a/../../b.jpg", "a-b"],
  ["x".repeat(300), "x".repeat(60)],
])("the file %s is stored as %s with a random part and its size", (fileName, words) => {
  const name = pictureName(fileName, { type: "image/jpeg", width: 2400, height: 1600 });
  expect(name).toMatch(new RegExp(`^${words}-[0-9a-f]{8}-2400x1600\\.jpg$`));
  expect(pictureOfName(name)).toEqual({ name, width: 2400, height: 1600 });
  expect(name.length).toBeLessThanOrEqual(120);
});

test("two pictures from the same file have different names", () => {
  const size = { type: "image/webp", width: 10, height: 10 };
  expect(pictureName("a.webp", size)).not.toBe(pictureName("a.webp", size));
});

test("a picture can be named on a page without TLS, where crypto.randomUUID is missing", () => {
  const { getRandomValues } = crypto;
  vi.stubGlobal("crypto", { getRandomValues: getRandomValues.bind(crypto) });
  expect(pictureName("a.png", { type: "image/png", width: 1, height: 1 })).toMatch(/^a-[0-9a-f]{8}-1x1\.png$/);
  vi.unstubAllGlobals();
});

test("the title is the name without its random part, size and extension", () => {
  expect(pictureTitle("practice-room-3f9a1c2b-2400x1600.jpg")).toBe("practice room");
});
