export type IdentityFailure = "missing" | "unknown_key" | "malformed" | "expired" | "claims";

/** The reason why a request has no caller. Each API converts it into its own response. */
export class IdentityError extends Error {
  override readonly name = "IdentityError";
  readonly reason: IdentityFailure;

  constructor(reason: IdentityFailure, message: string) {
    super(message);
    this.reason = reason;
  }
}
