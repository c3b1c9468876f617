import type { z } from "zod";
import { invalidRequest } from "./errors.ts";

/** Reads the parameters of a URL, the first of each name. Fails with a `StorageError` that names the first wrong one. */
export function readQuery<T>(parameters: URLSearchParams, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(Object.fromEntries([...parameters].toReversed()));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalidRequest(`querystring/${issue?.path.join("/")} ${issue?.message}`);
}
