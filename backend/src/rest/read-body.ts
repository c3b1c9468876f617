import { RestError } from "./errors.ts";

/** The longest body taken, in bytes. */
export const LONGEST_BODY = 10 * 1024 * 1024;

/** Reads a request's body as UTF-8 text. Fails with 413 as soon as it is known to be too long. */
export async function readBody(request: Request): Promise<string> {
  if (Number(request.headers.get("content-length") ?? 0) > LONGEST_BODY) throw tooLong();
  if (!request.body) return "";
  const decoder = new TextDecoder();
  let length = 0;
  let text = "";
  for await (const chunk of request.body) {
    length += chunk.byteLength;
    if (length > LONGEST_BODY) throw tooLong();
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function tooLong(): RestError {
  return new RestError(413, "request_entity_too_large", `The body is longer than ${LONGEST_BODY} bytes`);
}
