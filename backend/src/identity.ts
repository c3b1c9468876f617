import { timingSafeEqual } from "node:crypto";
import { IdentityError } from "./errors.ts";
import type { JwtKeys } from "./jwt/jwt.ts";

/** The caller of a request: a Postgres role and the claims that policies read. */
export interface Identity {
  role: string;
  claims: Record<string, unknown>;
  /** True if the request carried a token of its own and not only the API key. */
  authenticated: boolean;
}

/** The publishable and the secret key of a project. */
export interface ApiKeys {
  publishableKey: string;
  secretKey: string;
}

export type Identify = (request: Request) => Promise<Identity>;

const BEARER = /^bearer\s+(\S+)$/i;
const EMPTY_BEARER = /^bearer\s*$/i;

/** Finds the caller of a credential: an API key or a token. Fails with an `IdentityError`. */
export type ResolveCredential = (credential: string) => Promise<Identity>;

/** Creates the function that finds the caller of an API key or of a token, whose times may be wrong by `skewSeconds`. */
export function createResolveCredential(keys: ApiKeys, jwt: JwtKeys, skewSeconds = 0): ResolveCredential {
  const known: readonly (readonly [key: Buffer, identity: Identity])[] = [
    [Buffer.from(keys.publishableKey), { role: "anon", claims: { role: "anon" }, authenticated: false }],
    [Buffer.from(keys.secretKey), { role: "service_role", claims: { role: "service_role" }, authenticated: true }],
  ];

  function ofKey(text: string): Identity | undefined {
    const given = Buffer.from(text);
    return known.find(([key]) => key.length === given.length && timingSafeEqual(key, given))?.[1];
  }

  async function ofToken(token: string): Promise<Identity> {
    const claims = await jwt.verify(token, skewSeconds);
    // A token without a role is anonymous, as in PostgREST.
    const { role = "anon" } = claims;
    if (typeof role !== "string" || role === "") throw new IdentityError("claims", "The role claim of the JWT is not a role name");
    // SQL reads the role from the claims (`auth.role()`).
    return { role, claims: { ...claims, role }, authenticated: role !== "anon" };
  }

  return async function resolve(credential) {
    const identity = ofKey(credential);
    if (identity) return identity;
    if (credential.startsWith("sb_")) throw new IdentityError("unknown_key", "Unknown API key");
    return ofToken(credential);
  };
}

/**
 * Creates the function that reads a request's caller from `apikey` (header or query) and `Authorization: Bearer`.
 * A bearer token that is not an API key takes precedence over the key. The times in a token may be wrong by `skewSeconds`.
 * Fails with an `IdentityError`.
 */
export function createIdentify(keys: ApiKeys, jwt: JwtKeys, skewSeconds = 0): Identify {
  const resolve = createResolveCredential(keys, jwt, skewSeconds);

  return async function identify(request) {
    const apikey = request.headers.get("apikey") ?? new URL(request.url).searchParams.get("apikey");
    if (EMPTY_BEARER.test(request.headers.get("authorization") ?? ""))
      throw new IdentityError("malformed", "Empty JWT is sent in Authorization header");
    const bearer = bearerToken(request);
    // The gateway verifies the key even if a user's token determines the role.
    const keyIdentity = apikey === null ? undefined : await resolve(apikey);
    if (bearer === undefined) {
      if (!keyIdentity) throw new IdentityError("missing", "No API key found in request");
      return keyIdentity;
    }
    return bearer === apikey && keyIdentity ? keyIdentity : resolve(bearer);
  };
}

/** Returns the token of `Authorization: Bearer …` (RFC 6750), or undefined. */
export function bearerToken(request: Request): string | undefined {
  return BEARER.exec(request.headers.get("authorization") ?? "")?.[1];
}
