import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { HostileRequest } from "./hostile-request.ts";

/** The responses that one connection received. */
export interface Answers {
  /** The status of each response, in order. */
  statuses: number[];
  /** True if a 503 lacks `Retry-After`. */
  lacksRetryAfter: boolean;
  /** True if the server neither answered a complete request nor closed its connection in time. */
  silent: boolean;
  ms: number;
  /** The first part of the response. */
  text: string;
}

const PATIENCE_MS = 12_000;
const BETWEEN_PIECES_MS = 50;
/** The answer to the upgrade of a WebSocket. */
const SWITCHING_PROTOCOLS = 101;
const MAX_SIZE = 2 * 1024 * 1024;

/** Sends a request over a connection of its own and reads until the server closes it or nothing comes for a while. */
export function send({ client, pieces, leaves, complete, reads = true }: HostileRequest, port: number): Promise<Answers> {
  return new Promise((resolve) => {
    const started = performance.now();
    const chunks: Buffer[] = [];
    let size = 0;
    let closed = false;
    const socket = connect({ port, host: "127.0.0.1", localAddress: client });
    const timer = setTimeout(() => socket.destroy(), PATIENCE_MS);

    socket.on("data", (chunk: Buffer) => {
      if (size < MAX_SIZE) chunks.push(chunk);
      size += chunk.byteLength;
      if (!reads) socket.pause();
    });
    socket.on("end", () => (closed = true));
    socket.on("error", () => (closed = true));
    socket.on("close", () => {
      clearTimeout(timer);
      const text = Buffer.concat(chunks).toString("latin1");
      const statuses = [...text.matchAll(/(?:^|\n|[^ ])HTTP\/1\.1 (\d{3}) /g)]
        .map(([, status]) => Number(status))
        .filter((status) => status >= 200 || status === SWITCHING_PROTOCOLS);
      // Interim responses (100) come first.
      const head = text.slice(Math.max(text.search(/HTTP\/1\.1 [2-5]/), 0)).split("\r\n\r\n", 1)[0] ?? "";
      const lacksRetryAfter = statuses[0] === 503 && !/^retry-after:/im.test(head);
      const silent = !closed && complete && !leaves && statuses.length === 0;
      resolve({ statuses, lacksRetryAfter, silent, ms: performance.now() - started, text: text.slice(0, 600) });
    });
    socket.on("connect", () => {
      void (async () => {
        for (const [index, piece] of pieces.entries()) {
          if (index > 0) await delay(BETWEEN_PIECES_MS);
          if (!socket.destroyed) socket.write(piece);
        }
        if (leaves) socket.destroy();
      })();
    });
  });
}
