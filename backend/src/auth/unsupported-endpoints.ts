import { AuthError } from "./errors.ts";

/** Answers for passkeys, which are not made here. */
export async function passkeys(): Promise<Response> {
  throw new AuthError(404, "passkey_disabled", "Passkeys are disabled");
}

/** Answers for what a hosted project can switch on besides: an OAuth server, SCIM, providers by request. */
export async function features(): Promise<Response> {
  throw new AuthError(404, "feature_disabled", "This feature is not available");
}
