import { parse } from "content-disposition";
import { collectBytes } from "../../body/read-bytes.ts";
import { invalidRequest } from "../errors.ts";

/** One part of a `multipart/form-data` body (RFC 7578); its bytes can be read once, before the next part. */
interface Part {
  name: string;
  /** Undefined for a field without a file. */
  filename: string | undefined;
  type: string | undefined;
  bytes: AsyncGenerator<Uint8Array>;
}

const LONGEST_HEADERS = 16 * 1024;
const MOST_PARTS = 100;
const HEADERS_END = Buffer.from("\r\n\r\n");

/** The boundary of a `multipart/form-data` content type; undefined for other types. */
export function multipartBoundary(contentType: string): string | undefined {
  return /^multipart\/form-data\b.*;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType)?.slice(1).find(Boolean);
}

/** Streams the parts of a body. Fails with a `StorageError` if the body is truncated or malformed. */
export async function* readMultipart(body: AsyncIterable<Uint8Array>, boundary: string): AsyncGenerator<Part> {
  const reader = createReader(body);
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  // The first boundary has no line break before it.
  reader.unshift(Buffer.from("\r\n"));
  await drain(reader.until(delimiter, Number.POSITIVE_INFINITY));
  for (let count = 0; count < MOST_PARTS; count += 1) {
    if ((await reader.take(2)).toString("latin1") === "--") return;
    const headers = await collect(reader.until(HEADERS_END, LONGEST_HEADERS));
    const bytes = reader.until(delimiter, Number.POSITIVE_INFINITY);
    yield { ...describe(headers.toString("utf8")), bytes };
    await drain(bytes);
  }
  throw invalidRequest("The form has too many parts");
}

/** Reads a field's bytes, at most `longest` of them. Fails with a `StorageError`. */
export async function collect(bytes: AsyncIterable<Uint8Array>, longest = LONGEST_HEADERS): Promise<Buffer> {
  const collected = await collectBytes(bytes, longest);
  if (!collected) throw invalidRequest("A field of the form is too long");
  return collected;
}

async function drain(bytes: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _chunk of bytes);
}

function describe(text: string): Pick<Part, "name" | "filename" | "type"> {
  const headers = new Map(
    text.split("\r\n").flatMap((line) => {
      const colon = line.indexOf(":");
      return colon > 0 ? [[line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()] as const] : [];
    }),
  );
  const { parameters } = parse(headers.get("content-disposition") ?? "", { multipart: true });
  return { name: parameters["name"] ?? "", filename: parameters["filename"], type: headers.get("content-type") };
}

interface Reader {
  unshift(bytes: Buffer): void;
  take(length: number): Promise<Buffer>;
  /** Yields the bytes before `mark` and consumes the mark. */
  until(mark: Buffer, longest: number): AsyncGenerator<Uint8Array>;
}

function createReader(body: AsyncIterable<Uint8Array>): Reader {
  const chunks = body[Symbol.asyncIterator]();
  let pending: Buffer = Buffer.alloc(0);

  async function more(): Promise<void> {
    const { done, value } = await chunks.next();
    if (done === true) throw invalidRequest("The form ends too early");
    pending = pending.length === 0 ? asBuffer(value) : Buffer.concat([pending, value]);
  }

  return {
    unshift(bytes) {
      pending = Buffer.concat([bytes, pending]);
    },
    async take(length) {
      while (pending.length < length) await more();
      const taken = pending.subarray(0, length);
      pending = pending.subarray(length);
      return taken;
    },
    async *until(mark, longest) {
      let given = 0;
      for (;;) {
        const at = pending.indexOf(mark);
        // Without the mark, the last bytes may be the start of it.
        const certain = at >= 0 ? at : Math.max(pending.length - mark.length + 1, 0);
        given += certain;
        if (given > longest) throw invalidRequest("A part of the form has headers that are too long");
        const chunk = pending.subarray(0, certain);
        pending = pending.subarray(at >= 0 ? at + mark.length : certain);
        if (chunk.length > 0) yield chunk;
        if (at >= 0) return;
        await more();
      }
    },
  };
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
