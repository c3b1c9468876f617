import { writeSync } from "node:fs";
import pino, { type Logger } from "pino";

const STDOUT = 1;
const MAX_PENDING_BYTES = 1024 * 1024;
const RETRY_MS = 20;

/** Makes the log of the process: readable lines on a terminal, JSON elsewhere, with secret fields redacted. */
export function createLog(level: string): Logger {
  const redact = {
    paths: [
      "password",
      "token",
      "authorization",
      "apikey",
      "*.password",
      "*.token",
      "*.authorization",
      "*.apikey",
      "*.access_token",
      "*.refresh_token",
    ],
    censor: "[redacted]",
  };
  const options = { level, base: null, redact };
  if (process.stdout.isTTY) {
    const target = { target: "pino-pretty", options: { translateTime: "SYS:HH:MM:ss", singleLine: true } };
    return pino({ ...options, transport: target });
  }
  return pino(
    options,
    createLogDestination((bytes) => writeSync(STDOUT, bytes)),
  );
}

/**
 * A destination that neither blocks nor ends the process. The lines of one turn of the event loop are written together, or when
 * the process ends. Lines that cannot be written, as on a full disk, are dropped, and their number is logged with the next line
 * that can be.
 */
export function createLogDestination(writeOut: (bytes: Uint8Array) => number): { write(line: string): void; flush(): void } {
  let lines: string[] = [];
  /** Bytes of earlier turns that a slow reader has not taken, and the lines that they and `lines` contain. */
  let unwritten = Buffer.alloc(0);
  let pendingLines = 0;
  let pendingBytes = 0;
  let dropped = 0;
  let isTorn = false;
  let next: NodeJS.Immediate | undefined;
  let retry: NodeJS.Timeout | undefined;

  function flush(): void {
    clearImmediate(next);
    next = undefined;
    const added = Buffer.from(lines.join(""));
    unwritten = unwritten.length > 0 ? Buffer.concat([unwritten, added]) : added;
    lines = [];
    try {
      while (unwritten.length > 0) unwritten = unwritten.subarray(writeOut(unwritten));
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "EAGAIN") {
        // A reader that is slow for a moment.
        pendingBytes = unwritten.length;
        retry ??= setTimeout(() => {
          retry = undefined;
          flush();
        }, RETRY_MS).unref();
        return;
      }
      dropped += pendingLines;
      isTorn = true;
      unwritten = Buffer.alloc(0);
    }
    pendingLines = 0;
    pendingBytes = 0;
    process.off("exit", flush);
  }

  function add(line: string): void {
    lines.push(line);
    pendingBytes += line.length;
    pendingLines += 1;
  }

  return {
    write(line) {
      if (pendingBytes > MAX_PENDING_BYTES) {
        dropped += 1;
        return;
      }
      if (pendingLines === 0) process.on("exit", flush);
      // Ends the line that was cut.
      if (isTorn) lines.push("\n");
      if (dropped > 0) {
        add(`${JSON.stringify({ level: 40, time: Date.now(), dropped, msg: "log lines dropped" })}\n`);
        // They are dropped again if this notice is.
        pendingLines += dropped - 1;
      }
      dropped = 0;
      isTorn = false;
      add(line);
      next ??= setImmediate(flush);
    },
    flush,
  };
}
