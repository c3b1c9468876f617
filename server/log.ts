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
    const target = { target: "pino-pretty", options: { ignore: "pid,hostname,id", translateTime: "SYS:HH:MM:ss", singleLine: true } };
    return pino({ ...options, transport: target });
  }
  const destination = createLogDestination((bytes) => writeSync(STDOUT, bytes));
  process.once("exit", destination.flush);
  return pino(options, destination);
}

/**
 * A destination that neither holds up nor ends the process: lines that cannot be written, as on a full disk, are dropped, and
 * their number is logged with the next line that can be.
 */
export function createLogDestination(writeOut: (bytes: Uint8Array) => number): { write(line: string): void; flush(): void } {
  let pending = Buffer.alloc(0);
  let pendingLines = 0;
  let dropped = 0;
  let isTorn = false;
  let retry: NodeJS.Timeout | undefined;

  function flush(): void {
    try {
      while (pending.length > 0) pending = pending.subarray(writeOut(pending));
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "EAGAIN") {
        // A reader that is slow for a moment.
        retry ??= setTimeout(() => {
          retry = undefined;
          flush();
        }, RETRY_MS).unref();
        return;
      }
      dropped += pendingLines;
      isTorn = true;
      pending = Buffer.alloc(0);
    }
    pendingLines = 0;
  }

  return {
    write(line) {
      if (pending.length > MAX_PENDING_BYTES) {
        dropped += 1;
        return;
      }
      const before = dropped;
      const notice = before === 0 ? "" : `${JSON.stringify({ level: 40, time: Date.now(), dropped: before, msg: "log lines dropped" })}\n`;
      pending = Buffer.concat([pending, Buffer.from(`${isTorn ? "\n" : ""}${notice}${line}`)]);
      // The lines that the notice reports are dropped again if the notice is.
      pendingLines += 1 + before;
      dropped = 0;
      isTorn = false;
      flush();
    },
    flush,
  };
}
