import { createHmac, hash } from "node:crypto";
import * as jose from "jose";
import { LRUCache } from "lru-cache";
import { IdentityError } from "../errors.ts";

/** Signs and verifies tokens. The private keys never leave this object. */
export interface JwtKeys {
  /** Signs claims with the current key. The caller sets `exp`, `iat` and `iss`. */
  sign(claims: jose.JWTPayload): Promise<string>;
  /**
   * Verifies a token with the key of its `kid`, or with the shared secret (HS256). `exp` and `nbf` may be wrong by
   * `skewSeconds`, 0 by default. Fails with an `IdentityError`.
   */
  verify(token: string, skewSeconds?: number): Promise<jose.JWTPayload>;
  /** Returns the public keys for `.well-known/jwks.json`. */
  publicKeys(): jose.JSONWebKeySet;
  /** Returns a keyed digest of a text (hex of HMAC-SHA-224). */
  seal(text: string): string;
}

/** A private ES256 or RS256 key as JWK with `kid`. The first key of a list signs; the others only verify. */
export type SigningKey = jose.JWK & { kid: string };

/** Generates an ES256 signing key. */
export async function generateSigningKey(): Promise<SigningKey> {
  const { privateKey } = await jose.generateKeyPair("ES256", { extractable: true });
  return { ...(await jose.exportJWK(privateKey)), kid: crypto.randomUUID(), alg: "ES256", use: "sig" };
}

/** The clock skew of other issuers, as in PostgREST. */
export const CLOCK_SKEW_SECONDS = 30;
/** A token with our own signature was issued by our own clock; if it comes from the future, that clock was set back. */
const CLOCK_SET_BACK_SECONDS = 86_400;
/** A client sends the same token for an hour, and checking its signature takes a third of the time of a small request. */
const REMEMBERED_CHARACTERS = 2_000_000;

/** Creates `JwtKeys` from signing keys, newest first, and the legacy shared secret. */
export async function createJwtKeys(signingKeys: readonly SigningKey[], sharedSecret: string): Promise<JwtKeys> {
  const [current] = signingKeys;
  if (!current) throw new Error("createJwtKeys needs at least one signing key");
  const shown: jose.JSONWebKeySet = { keys: signingKeys.map(publicHalf) };
  const signer = await importSigner(current);
  const verifiers = new Map(await Promise.all(shown.keys.map(async (key) => [key.kid, await importVerifier(key)] as const)));
  const shared = new TextEncoder().encode(sharedSecret);

  /** The claims of the tokens whose signature was right, by the digest of the token, with the leeway of their `iat`. */
  const remembered = new LRUCache<string, { claims: jose.JWTPayload; leeway: number }>({ maxSize: REMEMBERED_CHARACTERS });

  async function verify(token: string, clockTolerance = 0): Promise<jose.JWTPayload> {
    const digest = hash("sha256", token, "base64url");
    const verified = remembered.get(digest);
    if (verified && isTimely(verified.claims, clockTolerance, verified.leeway)) return verified.claims;
    try {
      const { kid } = jose.decodeProtectedHeader(token);
      const known = kid === undefined ? undefined : verifiers.get(kid);
      // Key and algorithm are chosen together, so that a public key is never used as an HMAC secret.
      const { payload } = known
        ? await jose.jwtVerify(token, known.key, { algorithms: [known.algorithm], clockTolerance })
        : await jose.jwtVerify(token, shared, { algorithms: ["HS256"], clockTolerance });
      const leeway = known ? CLOCK_SET_BACK_SECONDS : CLOCK_SKEW_SECONDS;
      if (payload.iat !== undefined && payload.iat > Date.now() / 1000 + leeway) throw new IdentityError("claims", "JWT issued at future");
      remembered.set(digest, { claims: payload, leeway }, { size: token.length });
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
    sign: (claims) => new jose.SignJWT(claims).setProtectedHeader({ alg: algorithmOf(current), kid: current.kid, typ: "JWT" }).sign(signer),
    verify,
    publicKeys: () => shown,
    seal: (text) => createHmac("sha224", shared).update(`seal ${text}`).digest("hex"),
  };
}

/** Checks the times of a token like `jwtVerify`, which then determines the error. */
function isTimely({ exp, nbf, iat }: jose.JWTPayload, tolerance: number, leeway: number): boolean {
  const now = Date.now() / 1000;
  const seconds = Math.floor(now);
  return (
    (exp === undefined || exp > seconds - tolerance) &&
    (nbf === undefined || nbf <= seconds + tolerance) &&
    (iat === undefined || iat <= now + leeway)
  );
}

/** The CLI writes key_ops for signing and verifying; Web Crypto accepts only signing for a private key. */
function importSigner({ key_ops: _uses, ...key }: SigningKey): ReturnType<typeof jose.importJWK> {
  return jose.importJWK(key, algorithmOf(key));
}

async function importVerifier(key: jose.JWK) {
  return { key: await jose.importJWK(key), algorithm: algorithmOf(key) };
}

function publicHalf({ kty, crv, x, y, n, e, kid }: SigningKey): jose.JWK {
  const facts = { kid, use: "sig" as const, key_ops: ["verify"], ext: true };
  if (kty === "RSA" && n !== undefined && e !== undefined) return { kty, n, e, alg: "RS256", ...facts };
  if (kty === "EC" && crv === "P-256" && x !== undefined && y !== undefined) return { kty, crv, x, y, alg: "ES256", ...facts };
  throw new Error(`Signing key ${kid} is neither an ES256 nor an RS256 key`);
}

function algorithmOf({ kty }: jose.JWK): "ES256" | "RS256" {
  return kty === "RSA" ? "RS256" : "ES256";
}
