import { createHmac } from "node:crypto";
import * as jose from "jose";
import { IdentityError } from "./errors.ts";

/** The keys tokens are signed and verified with; the private half never leaves this object. */
export interface JwtKeys {
  /** Signs claims with the current key (ES256); `exp`, `iat` and `iss` are the caller's. */
  sign(claims: jose.JWTPayload): Promise<string>;
  /** Verifies a token of ours, by `kid`, or by the shared secret (HS256) without a known one. Fails with an `IdentityError`. */
  verify(token: string): Promise<jose.JWTPayload>;
  /** The public asymmetric keys, as `.well-known/jwks.json` shows them. */
  publicKeys(): jose.JSONWebKeySet;
  /** A digest of a text that nobody without the shared secret can make (hex of HMAC-SHA-224). */
  seal(text: string): string;
}

/** A private ES256 key as JWK with `kid`; the first of a list signs, the others only verify. */
export type SigningKey = jose.JWK & { kid: string };

/** Makes a fresh ES256 signing key. */
export async function generateSigningKey(): Promise<SigningKey> {
  const { privateKey } = await jose.generateKeyPair("ES256", { extractable: true });
  return { ...(await jose.exportJWK(privateKey)), kid: crypto.randomUUID(), alg: "ES256", use: "sig" };
}

const CLOCK_SKEW_SECONDS = 30;

/** Makes `JwtKeys` from signing keys, newest first, and the legacy shared secret. */
export async function createJwtKeys(signingKeys: readonly SigningKey[], sharedSecret: string): Promise<JwtKeys> {
  const [current] = signingKeys;
  if (!current) throw new Error("createJwtKeys needs at least one signing key");
  const signer = await importSigner(current);
  const shown: jose.JSONWebKeySet = { keys: signingKeys.map(publicHalf) };
  const verifiers = new Map(await Promise.all(shown.keys.map(async (key) => [key.kid, await jose.importJWK(key, "ES256")] as const)));
  const shared = new TextEncoder().encode(sharedSecret);

  async function verify(token: string): Promise<jose.JWTPayload> {
    try {
      const { kid } = jose.decodeProtectedHeader(token);
      const known = kid === undefined ? undefined : verifiers.get(kid);
      // Key and algorithm are chosen together: a public key must never be tried as an HMAC secret.
      const { payload } = known
        ? await jose.jwtVerify(token, known, { algorithms: ["ES256"] })
        : await jose.jwtVerify(token, shared, { algorithms: ["HS256"] });
      if (payload.iat !== undefined && payload.iat > Date.now() / 1000 + CLOCK_SKEW_SECONDS)
        throw new IdentityError("claims", "JWT issued at future");
      return payload;
    } catch (error) {
      if (error instanceof IdentityError) throw error;
      if (error instanceof jose.errors.JWTExpired) throw new IdentityError("expired", "JWT expired");
      if (error instanceof jose.errors.JWTClaimValidationFailed) throw new IdentityError("claims", error.message);
      if (error instanceof jose.errors.JOSEError || error instanceof TypeError) throw new IdentityError("malformed", error.message);
      throw error;
    }
  }

  return {
    sign: (claims) => new jose.SignJWT(claims).setProtectedHeader({ alg: "ES256", kid: current.kid, typ: "JWT" }).sign(signer),
    verify,
    publicKeys: () => shown,
    seal: (text) => createHmac("sha224", shared).update(`seal ${text}`).digest("hex"),
  };
}

/** The CLI writes keys that may sign and verify; as Web Crypto has it, a private one only signs. */
function importSigner({ key_ops: _uses, ...key }: SigningKey): ReturnType<typeof jose.importJWK> {
  return jose.importJWK(key, "ES256");
}

function publicHalf({ kty, crv, x, y, kid }: SigningKey): jose.JWK {
  if (kty !== "EC" || crv !== "P-256" || x === undefined || y === undefined) throw new Error(`Signing key ${kid} is not an ES256 key`);
  return { kty, crv, x, y, kid, alg: "ES256", use: "sig", key_ops: ["verify"], ext: true };
}
