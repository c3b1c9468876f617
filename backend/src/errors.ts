export type IdentityFailure = "missing" | "unknown_key" | "malformed" | "expired" | "claims";

/** Why a request has no identity; each API words it in its own form. */
export class IdentityError extends Error {
  override readonly name = "IdentityError";
  readonly reason: IdentityFailure;

  constructor(reason: IdentityFailure, message: string) {
    super(message);
    this.reason = reason;
  }
}
