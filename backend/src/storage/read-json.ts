import type { z } from "zod";
import { readBytes } from "../read-bytes.ts";
import { invalidRequest, tooLarge } from "./errors.ts";

const LONGEST_BODY = 1024 * 1024;

/** Reads a JSON body of at most 1 MiB that matches the schema. Fails with a `StorageError` that names the wrong fields. */
export async function readJson<T>(request: Request, schema: z.ZodType<T>): Promise<T> {
  const bytes = await readBytes(request, LONGEST_BODY);
  if (!bytes) throw tooLarge();
  const parsed = schema.safeParse(parse(new TextDecoder().decode(bytes)));
  if (parsed.success) return parsed.data;
  throw invalidRequest(parsed.error.issues.map(({ path, message }) => ["body", ...path].join("/") + " " + message).join(", "));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidRequest("body must be valid JSON");
  }
}
