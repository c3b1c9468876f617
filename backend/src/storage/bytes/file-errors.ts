import { ByteStoreError } from "./byte-store.ts";

const FULL: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

/** Runs a file operation; converts its errors into `ByteStoreError`. */
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

/** Rejection handler that returns null for a missing file. */
export function nothingThere(error: unknown): null {
  if (codeOf(error) === "ENOENT") return null;
  throw error;
}
