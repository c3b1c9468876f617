import { expect, test } from "vitest";
import { storageSchema } from "./storage.ts";

test("without [storage] a file may have 50 MiB, and there are no buckets", () => {
  expect(storageSchema.parse(undefined)).toMatchObject({
    file_size_limit: 52_428_800,
    buckets: {},
    image_transformation: { enabled: true },
  });
});

test.each([
  ["50MiB", 52_428_800],
  ["20mb", 20_971_520],
  ["1.5GB", 1_610_612_736],
  ["10k", 10_240],
  ["7b", 7],
  ["123", 123],
  [456, 456],
])("a size of %j is %i bytes, as the CLI reads it", (given, bytes) => {
  expect(storageSchema.parse({ file_size_limit: given }).file_size_limit).toBe(bytes);
});

test.each(["", "MB", "20 apples", "-1MB", -1, 1.5, true])("the size %j is refused", (given) => {
  expect(storageSchema.safeParse({ file_size_limit: given }).success).toBe(false);
});

test("a bucket is private and without limits unless it says otherwise", () => {
  const { buckets } = storageSchema.parse({
    buckets: { a: {}, b: { public: true, file_size_limit: "1KB", allowed_mime_types: ["image/*"] } },
  });
  expect(buckets).toEqual({ a: { public: false }, b: { public: true, file_size_limit: 1024, allowed_mime_types: ["image/*"] } });
});
