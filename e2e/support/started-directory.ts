import { cp } from "node:fs/promises";
import { inject } from "vitest";
import { temporaryDirectory } from "./product.ts";

/** Copies the prepared data directory; disposing of the copy removes it. */
export async function startedDirectory(): Promise<AsyncDisposable & { path: string }> {
  const directory = await temporaryDirectory();
  await cp(inject("startedDataDir"), directory.path, { recursive: true });
  return directory;
}
