/** What an error says on the wire: all four keys always, `null` where there is nothing to say. */
export interface ErrorBody {
  code: string;
  details: string | null;
  hint: string | null;
  message: string;
}

/** What a refused name may have meant: `hint` is said to those who have rights on it. */
export interface Suggestion {
  kind: "table" | "function";
  oid: number;
  hint: string;
}

/** A request this API refuses, with its status and PostgREST's code; branch on `code`. */
export class RestError extends Error {
  override readonly name = "RestError";
  readonly status: number;
  readonly code: string;
  readonly details: unknown;
  readonly hint: string | null;
  readonly headers: Readonly<Record<string, string>>;
  /** What is similar to a name that was not found, the nearest first. */
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
