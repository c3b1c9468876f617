import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import released from "./released-migrations.json" with { type: "json" };

// Databases hold the migrations of a release: to change one of these files would be refused at their next start (decision 030).

test.for(Object.entries(released))("%s is the file that was released", async ([path, digest]) => {
  const text = await readFile(new URL(`../${path}`, import.meta.url), "utf8");
  expect(createHash("sha256").update(text).digest("hex")).toBe(digest);
});
