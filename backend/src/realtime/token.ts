import { decodeJwt } from "jose";
import { IdentityError } from "../errors.ts";
import type { Identity, ResolveCredential } from "../identity.ts";
import { uuid } from "../uuid.ts";
import type { Database } from "../db/database.ts";
import { RealtimeError } from "./errors.ts";
import { findEndedSessions } from "./sessions.ts";

/** A verified credential of a socket or channel. */
export interface Token {
  /** The text, to recognise a token that is sent again. */
  text: string;
  identity: Identity;
  /** Milliseconds since 1970; infinite for an API key. */
  expiresAt: number;
  /** The session of a signed-in user, whose end makes the token invalid. */
  sessionId: string | null;
}

/** Verifies an API key or a token. Fails with a `RealtimeError`. */
export type ReadToken = (text: string) => Promise<Token>;

/** Creates the function that verifies credentials and the sessions of their users. */
export function createReadToken(resolve: ResolveCredential, database: Database): ReadToken {
  return async function readToken(text) {
    const token = await verify(text, resolve);
    const { sessionId } = token;
    if (sessionId !== null && (await findEndedSessions(database, new Set([sessionId]))).size > 0) throw sessionEnded();
    return token;
  };
}

/** The error of a token whose session has ended. */
export function sessionEnded(): RealtimeError {
  return new RealtimeError("InvalidJWTToken", "Session from session_id claim in JWT does not exist");
}

async function verify(text: string, resolve: ResolveCredential): Promise<Token> {
  try {
    const identity = await resolve(text);
    const { exp, session_id: sessionId } = identity.claims;
    // The claims of an API key have no times.
    const isKey = !text.includes(".");
    if (!isKey && (typeof exp !== "number" || decodeJwt(text)["role"] === undefined))
      throw new RealtimeError("InvalidJWTToken", "Fields `role` and `exp` are required in JWT");
    return {
      text,
      identity,
      expiresAt: typeof exp === "number" ? exp * 1000 : Infinity,
      sessionId: uuid.safeParse(sessionId).data ?? null,
    };
  } catch (error) {
    if (error instanceof IdentityError) throw failure(text, error);
    throw error;
  }
}

/** The error of an expired token. */
export function expired(expiresAt: number): RealtimeError {
  const seconds = Math.max(0, Math.floor((Date.now() - expiresAt) / 1000));
  return new RealtimeError("InvalidJWTToken", `Token has expired ${seconds} seconds ago`);
}

/** True for an API key, which clients send in the place of a token where no user is signed in. */
export function isApiKey(text: string): boolean {
  return text.startsWith("sb_");
}

function failure(text: string, { reason, message }: IdentityError): RealtimeError {
  const claims = decoded(text);
  if (!claims) return new RealtimeError("MalformedJWT", "The token provided is not a valid JWT");
  if (reason === "expired") return expired((claims.exp ?? 0) * 1000);
  if (reason === "claims") return new RealtimeError("InvalidJWTToken", message);
  return new RealtimeError("JwtSignatureError", "Failed to validate JWT signature");
}

function decoded(text: string): { exp?: number | undefined } | undefined {
  try {
    return decodeJwt(text);
  } catch {
    return undefined;
  }
}
