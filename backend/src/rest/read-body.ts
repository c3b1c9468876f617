import { readBytes } from "../read-bytes.ts";
import { RestError } from "./errors.ts";

/** The longest body taken, in bytes. */
export const LONGEST_BODY = 10 * 1024 * 1024;

/** Reads a request's body as UTF-8 text. Fails with 413 as soon as it is known to be too long. */
export async function readBody(request: Request): Promise<string> {
  const bytes = await readBytes(request, LONGEST_BODY);
  if (!bytes) throw new RestError(413, "request_entity_too_large", `The body is longer than ${LONGEST_BODY} bytes`);
  return new TextDecoder().decode(bytes);
}
