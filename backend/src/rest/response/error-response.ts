import type { Logger } from "pino";
import { z } from "zod";
import { CLIENT_GONE, clientGone } from "../../client-gone.ts";
import { OverBudgetError } from "../../anonymous/database-budget.ts";
import { DatabaseError } from "../../db/database.ts";
import { IdentityError, type IdentityFailure } from "../../errors.ts";
import * as SQLSTATE from "../../sqlstates.ts";
import { COMMON_HEADERS, isHeader, parseJsonOrNull } from "./headers.ts";
import { RestError, type ErrorBody } from "../errors.ts";

interface ErrorContext {
  authenticated: boolean;
  /** True if the client has disconnected, which cancels its statement. */
  abandoned: boolean;
  log: Logger;
}

/** Converts any thrown error into a response; unexpected errors are logged and answered without their cause. */
export function errorResponse(error: unknown, context: ErrorContext): Response {
  if (error instanceof RestError) {
    const { code, details, hint, message } = error;
    return answer(error.status, { code, details, hint, message }, error.headers);
  }
  if (error instanceof IdentityError) return identityResponse(error);
  if (error instanceof OverBudgetError) {
    const { message, retryAfterS } = error;
    return answer(429, { code: "over_database_time", details: null, hint: null, message }, { "Retry-After": String(retryAfterS) });
  }
  if (error instanceof DatabaseError) return databaseResponse(error, context);
  if (context.abandoned) return clientGone();
  context.log.error({ err: error }, "rest request failed");
  return answer(500, { code: "PGRSTX00", details: null, hint: null, message: "Internal server error" });
}

const IDENTITY_CODES: Record<IdentityFailure, string> = {
  missing: "PGRST302",
  unknown_key: "PGRST301",
  malformed: "PGRST301",
  expired: "PGRST303",
  claims: "PGRST303",
};

function identityResponse({ reason, message }: IdentityError): Response {
  const challenge =
    reason === "missing" ? "Bearer" : `Bearer error="invalid_token", error_description="${message.replaceAll(/[^\x20-\x7e]|["\\]/g, "'")}"`;
  return answer(401, { code: IDENTITY_CODES[reason], details: null, hint: null, message }, { "WWW-Authenticate": challenge });
}

function databaseResponse(error: DatabaseError, { authenticated, abandoned, log }: ErrorContext): Response {
  const { code, detail, hint, message } = error;
  if (code === RAISED_AS_RESPONSE) return raisedResponse(error);
  const status = abandoned && code === SQLSTATE.queryCanceled ? CLIENT_GONE : statusOf(error, authenticated);
  const headers: Record<string, string> = {};
  if (code === SQLSTATE.diskFull) return answer(503, DISK_FULL, { "Retry-After": "60" });
  if (status === 401) headers["WWW-Authenticate"] = "Bearer";
  if (status === 503) headers["Retry-After"] = "1";
  if (!INTERNAL_CLASSES.has(code.slice(0, 2))) return answer(status, { code, details: detail, hint, message }, headers);
  // Messages about the server's system are for the log only.
  if (!error.isOutage) log.error({ err: error }, "database failed");
  const text = status === 503 ? "The database is not available at the moment." : "The database failed.";
  return answer(status, { code, details: null, hint: null, message: text }, headers);
}

// Not logged for each request: the state of the disk is logged when it changes.
const DISK_FULL = {
  code: SQLSTATE.diskFull,
  details: null,
  hint: null,
  message: "The disk is full, so nothing can be saved at the moment.",
};
const RAISED_AS_RESPONSE = "PGRST";
const INTERNAL_CLASSES: ReadonlySet<string> = new Set(["08", "53", "58", "F0", "XX"]);

const STATUS_OF_CODE: Readonly<Record<string, number>> = {
  [SQLSTATE.cardinalityViolation]: 500,
  [SQLSTATE.foreignKeyViolation]: 409,
  [SQLSTATE.uniqueViolation]: 409,
  [SQLSTATE.readOnlyTransaction]: 405,
  [SQLSTATE.undefinedFunction]: 404,
  [SQLSTATE.undefinedTable]: 404,
  [SQLSTATE.invalidObjectDefinition]: 500,
  [SQLSTATE.configurationLimitExceeded]: 500,
  [SQLSTATE.adminShutdown]: 503,
  [SQLSTATE.raisedException]: 400,
};

const STATUS_OF_CLASS: Readonly<Record<string, number>> = {
  "08": 503,
  "09": 500,
  "0L": 403,
  "0P": 403,
  "25": 500,
  "28": 403,
  "2D": 500,
  "38": 500,
  "39": 500,
  "3B": 500,
  "40": 500,
  "53": 503,
  "54": 500,
  "55": 500,
  "57": 500,
  "58": 500,
  F0: 500,
  HV: 500,
  P0: 500,
  XX: 500,
};

const UNKNOWN_ROLE = /^role ".*" does not exist$/s;

/** The HTTP status of an SQLSTATE, as in PostgREST; `PTnnn` is the status nnn. */
function statusOf({ code, message }: Pick<DatabaseError, "code" | "message">, authenticated: boolean): number {
  if (code === SQLSTATE.insufficientPrivilege) return authenticated ? 403 : 401;
  if (code.startsWith("PT")) return Number(/^PT([2-5]\d\d)$/.exec(code)?.[1] ?? 500);
  // As in PostgREST: the code also means any other invalid setting.
  if (code === SQLSTATE.invalidParameterValue && UNKNOWN_ROLE.test(message)) return 401;
  return STATUS_OF_CODE[code] ?? STATUS_OF_CLASS[code.slice(0, 2)] ?? 400;
}

const raisedBody = z.object({
  code: z.string(),
  message: z.string(),
  details: z.string().nullable().default(null),
  hint: z.string().nullable().default(null),
});
const raisedExtra = z.object({
  status: z.number().int().min(200).max(599),
  headers: z
    .record(z.string(), z.string())
    .refine((headers) => Object.entries(headers).every(([name, value]) => isHeader(name, value)))
    .default({}),
});

/** Answers `raise sqlstate 'PGRST'`: its message is the body as JSON, its detail the status and headers as JSON. */
function raisedResponse({ message, detail }: DatabaseError): Response {
  const body = raisedBody.safeParse(parseJsonOrNull(message));
  const extra = raisedExtra.safeParse(parseJsonOrNull(detail ?? ""));
  if (body.success && extra.success) return answer(extra.data.status, body.data, extra.data.headers);
  const invalidDetail = detail === null ? "DETAIL is missing in the RAISE statement" : `Invalid JSON value for DETAIL: '${detail}'`;
  return answer(500, {
    code: "PGRST121",
    details: body.success ? invalidDetail : `Invalid JSON value for MESSAGE: '${message}'`,
    hint: body.success ? DETAIL_FORM : MESSAGE_FORM,
    message: "Could not parse JSON in the \"RAISE SQLSTATE 'PGRST'\" error",
  });
}

const MESSAGE_FORM = "MESSAGE must be a JSON object with obligatory keys: 'code', 'message' and optional keys: 'details', 'hint'.";
const DETAIL_FORM = "DETAIL must be a JSON object with obligatory keys: 'status', 'headers' and optional key: 'status_text'.";

function answer(status: number, body: ErrorBody, headers: Readonly<Record<string, string>> = {}): Response {
  // SQL may choose any text as the code.
  const proxyStatus = `PostgREST; error=${body.code}`;
  const hasBody = status !== 204 && status !== 205 && status !== 304;
  return new Response(hasBody ? JSON.stringify(body) : null, {
    status,
    headers: {
      ...COMMON_HEADERS,
      "Content-Type": "application/json; charset=utf-8",
      ...(isHeader("Proxy-Status", proxyStatus) ? { "Proxy-Status": proxyStatus } : {}),
      ...headers,
    },
  });
}
