import { z } from "zod";
import { readBytes } from "../read-bytes.ts";
import { AuthError } from "./errors.ts";

const LONGEST_BODY = 1024 * 1024;
const DEEPEST = 100;

/** A string field; absent, null and empty are the same, as for the clients. */
export const text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");

/** A flag that counts as off when absent. */
export const flag = z
  .boolean()
  .nullish()
  .transform((value) => value ?? false);

/** Free-form metadata; null counts as absent. It is repeated in access tokens, which cannot be made of just anything. */
export const metadata = z
  .record(z.string(), z.unknown())
  .nullish()
  .refine((value) => isShallow(value), `nested deeper than ${DEEPEST} levels`)
  .transform((value) => value ?? undefined);

/** Reads a JSON body of at most 1 MiB; `empty` stands for a body of no bytes, where one is allowed. Fails with an `AuthError`. */
export async function readBody<T>(request: Request, schema: z.ZodType<T>, empty?: unknown): Promise<T> {
  const bytes = await readBytes(request, LONGEST_BODY);
  if (!bytes) throw tooLarge();
  const parsed = schema.safeParse(bytes.byteLength === 0 && empty !== undefined ? empty : parseJson(bytes));
  if (parsed.success) return parsed.data;
  throw badJson(parsed.error.issues.map(({ path, message }) => `${path.join(".") || "body"}: ${message}`).join("; "));
}

function isShallow(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth <= DEEPEST; depth += 1) {
    level = level.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
    if (level.length === 0) return true;
  }
  return false;
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) throw badJson("not valid JSON");
    throw error;
  }
}

function badJson(reason: string): AuthError {
  return new AuthError(400, "bad_json", `Could not parse request body as JSON: ${reason}`);
}

function tooLarge(): AuthError {
  return new AuthError(413, "request_entity_too_large", "Request body is larger than 1 MiB");
}
