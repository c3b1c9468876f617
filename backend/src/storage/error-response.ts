import type { Logger } from "pino";
import { clientGone } from "../client-gone.ts";
import { DatabaseError } from "../db/database.ts";
import { IdentityError } from "../errors.ts";
import { ByteStoreError } from "./bytes/byte-store.ts";
import { JsonError } from "../body/read-json.ts";
import * as SQLSTATE from "../sqlstates.ts";
import { accessDenied, invalidRequest, StorageError } from "./errors.ts";

/** Turns an error into a response as Supabase Storage sends it: the actual status is `statusCode` in the body. */
export function errorResponse(error: unknown, request: Request, log: Logger): Response {
  const refusal = toStorageError(error);
  if (refusal.code === "InternalError" && request.signal.aborted) return clientGone();
  logFailure(refusal, error, log);
  const { statusCode, error: short, message, code } = refusal;
  return Response.json({ statusCode: String(statusCode), error: short, message, code }, { status: refusal.httpStatus });
}

/** Logs the error behind a refusal if it is the server's own. */
export function logFailure({ statusCode, code, cause }: StorageError, error: unknown, log: Logger): void {
  const isOutage = cause instanceof DatabaseError && cause.isOutage;
  if (statusCode >= 500 && code !== "InsufficientStorage" && !isOutage) log.error({ err: cause ?? error }, "storage request failed");
}

/** Converts an error into a `StorageError`; an unexpected one does not reveal its cause. */
export function toStorageError(error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  if (error instanceof IdentityError) return ofIdentity(error);
  if (error instanceof JsonError) return ofBody(error);
  if (error instanceof DatabaseError) return ofDatabase(error);
  if (error instanceof ByteStoreError && error.code === "full") return new StorageError("InsufficientStorage", { cause: error });
  return new StorageError("InternalError", { cause: error });
}

function ofIdentity(error: IdentityError): StorageError {
  if (error.reason === "missing") return invalidRequest("headers must have required property 'authorization'");
  return accessDenied(error.reason === "malformed" ? "Invalid Compact JWS" : error.message, error);
}

function ofBody({ reason, issues }: JsonError): StorageError {
  if (reason === "too_large") return new StorageError("EntityTooLarge");
  if (reason === "invalid") return invalidRequest("body must be valid JSON");
  return invalidRequest(issues.map(({ path, message }) => `${["body", ...path].join("/")} ${message}`).join(", "));
}

function ofDatabase(error: DatabaseError): StorageError {
  const { code } = error;
  if (code === SQLSTATE.insufficientPrivilege) return accessDenied("new row violates row-level security policy", error);
  if (code === SQLSTATE.uniqueViolation) return new StorageError("ResourceAlreadyExists", { cause: error });
  if (code === SQLSTATE.foreignKeyViolation)
    return new StorageError("InvalidRequest", {
      statusCode: 404,
      error: "InvalidRequest",
      message: "The related resource does not exist",
      cause: error,
    });
  if (code === SQLSTATE.diskFull) return new StorageError("InsufficientStorage", { cause: error });
  if (code === SQLSTATE.queryCanceled) return new StorageError("DatabaseTimeout", { cause: error });
  if (BAD_INPUT.has(code.slice(0, 2))) return invalidRequest(error.message);
  if (code.startsWith("08") || code.startsWith("53")) return new StorageError("ServiceUnavailable", { cause: error });
  return new StorageError("DatabaseError", { cause: error });
}

// Invalid data, and errors that SQL functions raise.
const BAD_INPUT: ReadonlySet<string> = new Set(["22", "P0"]);
