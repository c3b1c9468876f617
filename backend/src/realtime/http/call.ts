import { CORS_HEADERS } from "../../cors.ts";
import type { Identity } from "../../identity.ts";
import { RETRY_AFTER_S } from "../errors.ts";
import type { Message } from "../message.ts";
import type { Services } from "../services.ts";

/** A request to broadcast, and its caller. */
export interface Call {
  request: Request;
  url: URL;
  identity: Identity;
  services: Services;
  /** The longest body in bytes. */
  maxBytes: number;
  /** Counts messages against the limit of the client network; false if there are too many. */
  take(messages: number): boolean;
}

/** Answers with a JSON body, or without one. */
export function answer(status: number, body?: object): Response {
  const headers = { ...CORS_HEADERS, ...(status === 503 ? { "Retry-After": RETRY_AFTER_S } : {}) };
  return body ? Response.json(body, { status, headers }) : new Response(null, { status, headers });
}

/** Returns true if the caller may send a message: everybody to a public topic, and those whom a policy allows to a private one. */
export async function mayWrite({ feed, limits }: Services, identity: Identity, { topic, private: isPrivate }: Message): Promise<boolean> {
  if (!isPrivate) return !limits.private_only;
  return (await feed.authorise(identity, topic)).broadcast.write;
}
