import { createHash } from "node:crypto";
import { errors, jwtVerify, type JWTPayload } from "jose";
import type { Provider } from "../../external/providers.ts";

/** An error in the form of OAuth, always a 400 (RFC 6749 §5.2). */
export class OAuthError extends Error {
  override readonly name = "OAuthError";
  readonly error: string;

  constructor(error: string, description: string) {
    super(description);
    this.error = error;
  }
}

/** Values sent with an id token that must match its claims. */
interface IdTokenContext {
  accessToken: string;
  nonce: string;
}

/** Algorithms with published keys; neither `none` nor a shared secret is accepted. */
const ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"];
const CLOCK_SKEW_SECONDS = 30;

/** Verifies issuer, audience, time, nonce and signature of an id token and returns its claims. Fails with an `OAuthError`. */
export async function verifyIdToken(provider: Provider, token: string, given: IdTokenContext): Promise<JWTPayload> {
  const { configuration, keys } = await provider.connect();
  const { payload, alg } = await verifySignature(token, keys);
  if (!isIssuer(configuration.serverMetadata().issuer, payload)) throw badToken();
  if (typeof payload.iat === "number" && payload.iat > Date.now() / 1000 + CLOCK_SKEW_SECONDS) throw badToken();
  if (given.accessToken !== "" && payload.at_hash !== undefined && payload.at_hash !== halfHash(alg, given.accessToken)) throw badToken();
  if (payload.sub === undefined || payload.sub === "") throw new OAuthError("invalid request", "Missing sub claim in id_token");
  const audiences = [payload.aud ?? []].flat();
  if (!audiences.some((audience) => provider.clientIds.includes(audience)))
    throw new OAuthError("invalid request", `Unacceptable audience in id_token: [${audiences.join(" ")}]`);
  if (!provider.skipNonceCheck) requireNonce(payload.nonce, given.nonce);
  return payload;
}

async function verifySignature(token: string, keys: Parameters<typeof jwtVerify>[1]): Promise<{ payload: JWTPayload; alg: string }> {
  try {
    const options = { algorithms: ALGORITHMS, clockTolerance: CLOCK_SKEW_SECONDS, requiredClaims: ["exp", "iss"] };
    const { payload, protectedHeader } = await jwtVerify(token, keys, options);
    return { payload, alg: protectedHeader.alg };
  } catch (error) {
    if (error instanceof errors.JOSEError) throw badToken();
    throw error;
  }
}

/** The issuer of Microsoft contains the tenant; Google sends its issuer with and without the scheme. */
function isIssuer(expected: string, { iss, tid }: JWTPayload): boolean {
  if (expected.includes("{tenantid}")) return typeof tid === "string" && iss === expected.replace("{tenantid}", tid);
  return iss === expected || (expected === "https://accounts.google.com" && iss === "accounts.google.com");
}

/** Computes `at_hash` (OpenID Connect Core §3.1.3.6). */
function halfHash(alg: string, accessToken: string): string {
  const bits = /\d{3}$/.exec(alg)?.[0] ?? "512";
  const whole = createHash(`sha${bits}`).update(accessToken).digest();
  return whole.subarray(0, whole.length / 2).toString("base64url");
}

/** The id token contains the SHA-256 of the nonce that the client sends. */
function requireNonce(inToken: unknown, given: string): void {
  const hasOne = inToken !== undefined && inToken !== "";
  if (hasOne !== (given !== ""))
    throw new OAuthError("invalid request", "Passed nonce and nonce in id_token should either both exist or not.");
  if (hasOne && createHash("sha256").update(given).digest("hex") !== inToken) throw new OAuthError("invalid nonce", "Nonces mismatch");
}

function badToken(): OAuthError {
  return new OAuthError("invalid request", "Bad ID token");
}
