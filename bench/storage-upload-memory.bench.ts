import { readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { Upload } from "tus-js-client";
import { BUCKET, SECRET_KEY, startStorage } from "./storage-process.ts";

// Memory growth of a process during an upload of 100 MB, for each kind of upload (limit: a few chunks, not the file). Linux only.

const MB = 1024 * 1024;
const SIZE = 100 * MB;
const PIECE = new Uint8Array(64 * 1024).fill(7);

await using storage = await startStorage();
const { url, pid } = storage.process;

/** A streamed body of this many bytes. */
function* pieces(size: number): Generator<Uint8Array<ArrayBuffer>> {
  for (let left = size; left > 0; left -= PIECE.length) yield PIECE;
}

function* form(size: number): Generator<Uint8Array<ArrayBuffer>> {
  const text = new TextEncoder();
  yield text.encode(`--b\r\nContent-Disposition: form-data; name="cacheControl"\r\n\r\n60\r\n`);
  yield text.encode(`--b\r\nContent-Disposition: form-data; name=""; filename="x"\r\nContent-Type: application/x\r\n\r\n`);
  yield* pieces(size);
  yield text.encode("\r\n--b--\r\n");
}

function streamOf(chunks: Generator<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    pull(controller) {
      const { done, value } = chunks.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
  });
}

async function post(name: string, type: string, content: Generator<Uint8Array<ArrayBuffer>>): Promise<void> {
  const headers = { apikey: SECRET_KEY, "x-upsert": "true", "Content-Type": type };
  const init = { method: "POST", headers, body: streamOf(content), duplex: "half" };
  const answer = await fetch(`${url}/storage/v1/object/${BUCKET}/${name}`, init);
  if (!answer.ok) throw new Error(await answer.text());
}

function resume(name: string, size: number): Promise<void> {
  return new Promise((resolve, reject) => {
    new Upload(Readable.from(pieces(size), { objectMode: false }), {
      endpoint: `${url}/storage/v1/upload/resumable`,
      uploadSize: size,
      chunkSize: 6 * MB,
      headers: { authorization: `Bearer ${SECRET_KEY}`, "x-upsert": "true" },
      metadata: { bucketName: BUCKET, objectName: name },
      onError: reject,
      onSuccess: () => resolve(),
    }).start();
  });
}

async function residentMb(): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

async function peakWhile(work: Promise<void>): Promise<number> {
  let isDone = false;
  let peak = 0;
  const done = work.finally(() => (isDone = true));
  while (!isDone) {
    peak = Math.max(peak, await residentMb());
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await done;
  return peak;
}

const ways: Record<string, (size: number) => Promise<void>> = {
  "the file itself": (size) => post("raw.bin", "application/octet-stream", pieces(size)),
  "a form": (size) => post("form.bin", "multipart/form-data; boundary=b", form(size)),
  "resumable, in chunks of 6 MB": (size) => resume("tus.bin", size),
};
for (const [name, send] of Object.entries(ways)) {
  // A first small upload loads code and buffers, which are not part of the measurement.
  await send(20 * MB);
  const before = await residentMb();
  const peak = await peakWhile(send(SIZE));
  console.log(
    `  ${name}: ${before.toFixed(0)} MB before, at most ${peak.toFixed(0)} MB while 100 MB came (${(peak - before).toFixed(0)} MB more)`,
  );
}
