import * as SQLSTATE from "backend/sqlstates.ts";
import type { Logger } from "pino";

// The backend logs an outage of its database once, so a page does not log each read that fails during it.
const LOGGED_BY_BACKEND: ReadonlySet<unknown> = new Set([SQLSTATE.connectionFailure, SQLSTATE.tooManyConnections]);

/** Logs the error of a read, except one that is part of an outage of the database. */
export function logFailedRead(log: Logger, error: { code?: string; message: string }, message: string): void {
  if (!LOGGED_BY_BACKEND.has(error.code)) log.error({ err: error }, message);
}
