import { HTTPException } from "hono/http-exception";
import type { Logger } from "pino";
import { DatabaseError } from "../db/database.ts";
import { AuthError, errorResponse, validationFailed } from "./errors.ts";

/** SQLSTATEs of text Postgres cannot keep: a NUL, or half of a surrogate pair in JSON. */
const UNSTORABLE_TEXT = new Set(["22021", "22P02", "22P05"]);

/** What a request that takes too long is ended with. */
export const TIMED_OUT = new HTTPException(504);

/** Turns whatever a request failed with into its answer; a fault of ours says nothing but the id of its log line. */
export function failureResponse(error: Error, request: Request, log: Logger): Response {
  if (error instanceof AuthError) return errorResponse(error, request);
  if (error === TIMED_OUT)
    return errorResponse(new AuthError(504, "request_timeout", "Processing this request timed out, please retry after a moment."), request);
  if (error instanceof DatabaseError && UNSTORABLE_TEXT.has(error.code))
    return errorResponse(validationFailed("The request contains text that cannot be stored"), request);
  const errorId = crypto.randomUUID();
  // Not the error itself: a database's detail repeats the values of the row.
  const { name, stack } = error;
  log.error({ errorId, error: { name, stack, code: error instanceof DatabaseError ? error.code : undefined } }, "auth request failed");
  return errorResponse(
    new AuthError(500, "unexpected_failure", "Unexpected failure, please check server logs for more information"),
    request,
    errorId,
  );
}
