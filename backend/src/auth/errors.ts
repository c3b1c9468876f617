import { json } from "./responses.ts";

/** An answer other than success: HTTP status, slug and text as the clients know them. */
export class AuthError extends Error {
  override readonly name = "AuthError";
  readonly status: number;
  /** The stable slug, as in `invalid_credentials`. */
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

/** Makes the 400 for input that is well-formed and not acceptable. */
export function validationFailed(message: string): AuthError {
  return new AuthError(400, "validation_failed", message);
}

/** Makes the one answer to every sign-in that failed, whatever the cause. */
export function invalidCredentials(): AuthError {
  return new AuthError(400, "invalid_credentials", "Invalid login credentials");
}

const VERSION_HEADER = "X-Supabase-Api-Version";
const CODED_SINCE = "2024-01-01";

/** Puts an error into the form the request's API version asks for. `errorId` names the log line of a failure of ours. */
export function errorResponse(error: AuthError, request: Request, errorId?: string): Response {
  const { status, code, message } = error;
  const weak = error.weakPassword && { weak_password: { reasons: error.weakPassword } };
  const headers = { ...error.headers, "x-sb-error-code": code };
  if (asksForCodes(request)) return json({ code, message, ...weak }, { status, headers: { ...headers, [VERSION_HEADER]: CODED_SINCE } });
  const id = status >= 500 && errorId !== undefined ? { error_id: errorId } : {};
  return json({ code: status, error_code: code, msg: message, ...id, ...weak }, { status, headers });
}

function asksForCodes(request: Request): boolean {
  const asked = request.headers.get(VERSION_HEADER) ?? "";
  return /^\d{4}-\d{2}-\d{2}$/.test(asked) && asked >= CODED_SINCE;
}
