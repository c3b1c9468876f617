import { timingSafeEqual } from "node:crypto";
import { IdentityError } from "./errors.ts";
import type { JwtKeys } from "./jwt.ts";

/** On whose behalf a request reaches the database: a Postgres role and the claims policies may read. */
export interface Identity {
  role: string;
  claims: Record<string, unknown>;
  /** True when the request carried a token of its own, beside or instead of the bare API key. */
  authenticated: boolean;
}

/** The two opaque keys of a project, as `sb_publishable_…` and `sb_secret_…`. */
export interface ApiKeys {
  publishableKey: string;
  secretKey: string;
}

export type Identify = (request: Request) => Promise<Identity>;

const BEARER = /^bearer\s+(\S+)$/i;

/**
 * Makes the function that reads a request's identity from `apikey` (header or query) and `Authorization: Bearer`.
 * A bearer token that is not an API key decides; otherwise the key's own role does. Fails with an `IdentityError`.
 */
export function createIdentify(keys: ApiKeys, jwt: JwtKeys): Identify {
  const known: readonly (readonly [key: Buffer, identity: Identity])[] = [
    [Buffer.from(keys.publishableKey), { role: "anon", claims: { role: "anon" }, authenticated: false }],
    [Buffer.from(keys.secretKey), { role: "service_role", claims: { role: "service_role" }, authenticated: true }],
  ];

  function ofKey(text: string): Identity | undefined {
    const given = Buffer.from(text);
    return known.find(([key]) => key.length === given.length && timingSafeEqual(key, given))?.[1];
  }

  async function ofToken(token: string): Promise<Identity> {
    const claims = await jwt.verify(token);
    const { role } = claims;
    if (typeof role !== "string" || role === "") throw new IdentityError("claims", "JWT has no role claim");
    return { role, claims, authenticated: role !== "anon" };
  }

  async function resolve(credential: string): Promise<Identity> {
    const identity = ofKey(credential);
    if (identity) return identity;
    if (credential.startsWith("sb_")) throw new IdentityError("unknown_key", "Unknown API key");
    return ofToken(credential);
  }

  return async function identify(request) {
    const apikey = request.headers.get("apikey") ?? new URL(request.url).searchParams.get("apikey");
    const bearer = bearerToken(request);
    // The gateway checks the key even where a user's token will decide the role.
    const keyIdentity = apikey === null ? undefined : await resolve(apikey);
    if (bearer === undefined) {
      if (!keyIdentity) throw new IdentityError("missing", "No API key found in request");
      return keyIdentity;
    }
    return bearer === apikey && keyIdentity ? keyIdentity : resolve(bearer);
  };
}

/** The token of `Authorization: Bearer …` (RFC 6750), or undefined. */
export function bearerToken(request: Request): string | undefined {
  return BEARER.exec(request.headers.get("authorization") ?? "")?.[1];
}
