/** The body of an error response; all four keys are always present. */
export interface ErrorBody {
  code: string;
  details: unknown;
  hint: string | null;
  message: string;
}

/** A name that a refused name may have meant; callers with privileges on it get the `hint`. */
export interface Suggestion {
  kind: "table" | "function";
  oid: number;
  hint: string;
}

/** A request that the REST API refuses, with the status and PostgREST's code; branch on `code`. */
export class RestError extends Error {
  override readonly name = "RestError";
  readonly status: number;
  readonly code: string;
  readonly details: unknown;
  readonly hint: string | null;
  readonly headers: Readonly<Record<string, string>>;
  /** Names similar to one that was not found, the most similar first. */
  readonly suggestions: readonly Suggestion[];

  constructor(
    status: number,
    code: string,
    message: string,
    more: {
      details?: unknown;
      hint?: string | null;
      headers?: Record<string, string>;
      suggestions?: readonly Suggestion[];
      cause?: unknown;
    } = {},
  ) {
    super(message, { cause: more.cause });
    this.status = status;
    this.code = code;
    this.details = more.details ?? null;
    this.hint = more.hint ?? null;
    this.headers = more.headers ?? {};
    this.suggestions = more.suggestions ?? [];
  }
}

/** A body that is longer or has more parts than the API accepts. */
export function tooLarge(message: string): RestError {
  return new RestError(413, "request_entity_too_large", message);
}

const MAX_LISTED_NAMES = 20;

/** Joins the names of a request for an error message, which ends after the first 20. */
export function listNames(names: readonly string[]): string {
  const listed = names.slice(0, MAX_LISTED_NAMES).join(", ");
  return names.length > MAX_LISTED_NAMES ? `${listed}, …` : listed;
}
