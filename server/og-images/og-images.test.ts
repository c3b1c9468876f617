import sharp from "sharp";
import { afterAll, expect, test } from "vitest";
import { createOgImages } from "./og-images.ts";

const images = createOgImages();
afterAll(() => images.close());

const words = { siteName: "Larkfell Training", title: "What to pack", byline: "17 November 2026 · The training office" };

test.each([
  ["short", "Hi"],
  ["of two hundred letters", "A very long title of everything that has happened in the training room, ".repeat(3).slice(0, 200)],
  ["of one word that fills the picture many times", "W".repeat(200)],
  ["like markup", `<span foreground="red">&amp; </b> <!-- "'`],
  ["with accents above and below", "Ễẫ Ǎ Ňĝ Ș Ț Ệ"],
])("a title %s becomes a JPEG of 1200 by 630 pixels", async (_name, title) => {
  const bytes = await images.render({ ...words, title, byline: "21 November 2026 · ".padEnd(160, "Featherstonehaugh ") });
  expect(await sharp(bytes ?? undefined).metadata()).toMatchObject({ format: "jpeg", width: 1200, height: 630 });
  expect(bytes?.length).toBeLessThan(150_000);
});

test("images differ only in their words, which stay in the sky", async () => {
  const [one, other] = await Promise.all(["Hi", "W".repeat(200)].map((title) => images.render({ ...words, title }).then(brightness)));
  const differing = one?.flatMap((value, index) => (Math.abs(value - (other?.[index] ?? 0)) > 100 ? [index] : [])) ?? [];
  const columns = differing.map((index) => index % 1200);
  const rows = differing.map((index) => Math.floor(index / 1200));
  expect(Math.min(...columns)).toBeGreaterThanOrEqual(70);
  expect(Math.max(...columns)).toBeLessThanOrEqual(1130);
  expect(Math.min(...rows)).toBeGreaterThanOrEqual(140);
  expect(Math.max(...rows)).toBeLessThanOrEqual(410);
});

test("an emblem is drawn at the right of a title, which leaves room for it", async () => {
  const course = { ...words, title: "Health & Safety in Workplace Level 1" };
  const [plain, withEmblem] = await Promise.all([
    images.render(course).then(brightness),
    images.render({ ...course, emblem: "/images/courses/cctv.svg" }).then(brightness),
  ]);
  const inEmblem = (value: number, index: number): boolean => value < 110 && index % 1200 > 900 && Math.floor(index / 1200) < 300;
  expect(plain.filter(inEmblem).length).toBeLessThan(withEmblem.filter(inEmblem).length / 2);
});

test("an image is rendered once for concurrent and later requests", async () => {
  const renders = Array.from({ length: 30 }, () => images.render({ ...words, title: "Once" }));
  const [first, ...others] = await Promise.all(renders);
  expect(others.every((bytes) => bytes === first)).toBe(true);
  expect(await images.render({ ...words, title: "Once" })).toBe(first);
});

test("of many concurrent requests for different images some are refused, and the next one is rendered", async () => {
  const renders = Array.from({ length: 40 }, (_, number) => images.render({ ...words, title: `Flood ${number}` }));
  const answers = await Promise.all(renders);
  expect(answers.filter((bytes) => bytes === null)).toHaveLength(20);
  expect(await images.render({ ...words, title: "Flood 39" })).toBeInstanceOf(Uint8Array);
});

test("an image that cannot be rendered fails, and the next one is rendered", async () => {
  await expect(images.render({ ...words, title: "" })).rejects.toThrow("could not be rendered");
  expect(await images.render({ ...words, title: "After" })).toBeInstanceOf(Uint8Array);
});

async function brightness(picture: Uint8Array | null): Promise<number[]> {
  return [
    ...(await sharp(picture ?? undefined)
      .greyscale()
      .raw()
      .toBuffer()),
  ];
}
