import { ByteStoreError } from "./byte-store.ts";

const FULL: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

/** Does what needs the file system. Fails with a `ByteStoreError`. */
export async function attempt<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw new ByteStoreError(FULL.has(codeOf(error)) ? "full" : "unavailable", error);
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

/** Takes a file that is not there for null; to be given what a promise has failed with. */
export function nothingThere(error: unknown): null {
  if (codeOf(error) === "ENOENT") return null;
  throw error;
}
