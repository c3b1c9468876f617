/**
 * Replaces the modules of `@supabase/auth-js` for passkeys and Ethereum wallets in the browser, which are 3.5 KB (gzip) of every first
 * screen: staff sign in with a password and a one-time code.
 */
// auth-js calls it with `new`.
export function WebAuthnApi(): void {}

export const webAuthnAbortService = { cancelCeremony(): void {} };

/** Makes auth-js offer no passkeys. */
export function browserSupportsWebAuthn(): boolean {
  return false;
}

function notIncluded(): never {
  throw new Error("The portal does not include sign-in with passkeys or wallets.");
}

export {
  notIncluded as createCredential,
  notIncluded as createSiweMessage,
  notIncluded as deserializeCredentialCreationOptions,
  notIncluded as deserializeCredentialRequestOptions,
  notIncluded as fromHex,
  notIncluded as getAddress,
  notIncluded as getCredential,
  notIncluded as serializeCredentialCreationResponse,
  notIncluded as serializeCredentialRequestResponse,
  notIncluded as toHex,
};
