import { cp } from "node:fs/promises";
import { inject } from "vitest";
import { temporaryDirectory } from "./product.ts";

/** A directory with the data of a product that was started before, gone with the test. */
export async function startedDirectory(): Promise<AsyncDisposable & { path: string }> {
  const directory = await temporaryDirectory();
  await cp(inject("startedDataDir"), directory.path, { recursive: true });
  return directory;
}
