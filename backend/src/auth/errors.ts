import { HTTPException } from "hono/http-exception";
import type { Logger } from "pino";
import { clientGone, ClientGoneError } from "../client-gone.ts";
import { DatabaseError } from "../db/database.ts";
import { JsonError } from "../body/read-json.ts";
import * as SQLSTATE from "../sqlstates.ts";
import { json } from "./responses.ts";

/** An error response: HTTP status, code and message as GoTrue sends them. */
export class AuthError extends Error {
  override readonly name = "AuthError";
  readonly status: number;
  /** The stable code, such as `invalid_credentials`. */
  readonly code: string;
  readonly weakPassword: readonly string[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    message: string,
    extra: { weakPassword?: readonly string[]; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.weakPassword = extra.weakPassword;
    this.headers = extra.headers ?? {};
  }
}

/** Returns the 400 for well-formed input that is not acceptable. */
export function validationFailed(message: string): AuthError {
  return new AuthError(400, "validation_failed", message);
}

/** Returns the error of every failed sign-in; it does not reveal the cause. */
export function invalidCredentials(): AuthError {
  return new AuthError(400, "invalid_credentials", "Invalid login credentials");
}

/** Returns the error of an address that another account uses. */
export function emailExists(): AuthError {
  return new AuthError(422, "email_exists", "A user with this email address has already been registered");
}

/** The error that ends a request that takes too long. */
export const TIMED_OUT = new HTTPException(504);

const RETRY_SOON = { headers: { "Retry-After": "1" } };
const RETRY_LATER = { headers: { "Retry-After": "60" } };

const UNSTORABLE_TEXT = new Set<string>([
  SQLSTATE.characterNotInRepertoire,
  SQLSTATE.invalidTextRepresentation,
  SQLSTATE.untranslatableCharacter,
]);

/** Converts any error of a request into its response; an unexpected error is logged and only its log id is sent. */
export function errorResponse(error: Error, request: Request, log: Logger): Response {
  if (error instanceof AuthError) return codedResponse(error, request);
  if (error instanceof JsonError) return codedResponse(bodyError(error), request);
  if (error === TIMED_OUT)
    return codedResponse(new AuthError(504, "request_timeout", "Processing this request timed out, please retry after a moment."), request);
  if (error instanceof DatabaseError && UNSTORABLE_TEXT.has(error.code))
    return codedResponse(validationFailed("The request contains text that cannot be stored"), request);
  // auth-js keeps a session whose refresh fails with 503.
  if (error instanceof DatabaseError && error.code === SQLSTATE.diskFull)
    return codedResponse(new AuthError(503, "disk_full", "The disk is full, so nothing can be saved at the moment.", RETRY_LATER), request);
  if (error instanceof DatabaseError && error.isOutage)
    return codedResponse(new AuthError(503, "service_unavailable", "The database is not available at the moment.", RETRY_SOON), request);
  // The signal does not abort after the response, which a request that timed out already has.
  if (error instanceof ClientGoneError || request.signal.aborted) return clientGone();
  const errorId = crypto.randomUUID();
  // The error itself is not logged: the detail of a database error contains values of the row.
  const { name, stack } = error;
  log.error({ errorId, error: { name, stack, code: error instanceof DatabaseError ? error.code : undefined } }, "auth request failed");
  return codedResponse(
    new AuthError(500, "unexpected_failure", "Unexpected failure, please check server logs for more information"),
    request,
    errorId,
  );
}

function bodyError({ reason, message, issues }: JsonError): AuthError {
  if (reason === "too_large") return new AuthError(413, "request_entity_too_large", message);
  const fields = issues.map((issue) => `${issue.path.join(".") || "body"}: ${issue.message}`).join("; ");
  return new AuthError(400, "bad_json", `Could not parse request body as JSON: ${fields || message}`);
}

const VERSION_HEADER = "X-Supabase-Api-Version";
const FIRST_CODED_VERSION = "2024-01-01";

/** Writes an error in the form of the API version that the client requests. */
function codedResponse(error: AuthError, request: Request, errorId?: string): Response {
  const { status, code, message } = error;
  const weak = error.weakPassword && { weak_password: { reasons: error.weakPassword } };
  const headers = { ...error.headers, "x-sb-error-code": code };
  const version = request.headers.get(VERSION_HEADER) ?? "";
  if (/^\d{4}-\d{2}-\d{2}$/.test(version) && version >= FIRST_CODED_VERSION)
    return json({ code, message, ...weak }, { status, headers: { ...headers, [VERSION_HEADER]: FIRST_CODED_VERSION } });
  const id = status >= 500 && errorId !== undefined ? { error_id: errorId } : {};
  return json({ code: status, error_code: code, msg: message, ...id, ...weak }, { status, headers });
}

const OAUTH_ERRORS: Readonly<Record<number, string>> = { 401: "unauthorized_client", 403: "access_denied", 500: "server_error" };

/** Returns the parameters that report an error to the page a flow redirects to (RFC 6749 §4.1.2.1). */
export function errorFields({ status, code, message }: AuthError): Record<string, string> {
  return { error: OAUTH_ERRORS[status] ?? "invalid_request", error_code: code, error_description: message };
}
