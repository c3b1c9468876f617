import pino, { type Logger } from "pino";

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
  const terminal = { target: "pino-pretty", options: { ignore: "pid,hostname,id", translateTime: "SYS:HH:MM:ss", singleLine: true } };
  return pino({ level, base: null, redact, ...(process.stdout.isTTY ? { transport: terminal } : {}) });
}
