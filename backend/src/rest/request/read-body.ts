import { readBytes } from "../../read-bytes.ts";
import { RestError } from "../errors.ts";

/** The longest body taken, in bytes. */
export const LONGEST_BODY = 10 * 1024 * 1024;

/** Reads a request's body as UTF-8 text, empty for a read. Fails with 413 as soon as it is known to be too long. */
export async function readBody(request: Request): Promise<string> {
  // The listener makes the whole of its `Request` when first asked for the body, which takes longer than planning a read.
  if (request.method === "GET" || request.method === "HEAD") return "";
  const bytes = await readBytes(request, LONGEST_BODY);
  if (!bytes) throw new RestError(413, "request_entity_too_large", `The body is longer than ${LONGEST_BODY} bytes`);
  return new TextDecoder().decode(bytes);
}
