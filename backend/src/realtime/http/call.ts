import { CORS_HEADERS } from "../../cors.ts";
import type { Caller } from "../database/ask.ts";
import { RETRY_AFTER_S } from "../errors.ts";
import type { Message } from "../message.ts";
import type { Services } from "../services.ts";

/** A request to broadcast. */
export interface Call {
  request: Request;
  url: URL;
  mayWrite: MayWrite;
  services: Services;
  /** The longest body in bytes. */
  maxBytes: number;
  /** Counts messages against the limit of the client network; false if there are too many. */
  take(messages: number): boolean;
  /** Counts the receivers of a message that an anonymous caller sends. */
  charge(message: Message): void;
}

/** Answers with a JSON body, or without one. */
export function answer(status: number, body?: object): Response {
  const headers = { ...CORS_HEADERS, ...(status === 503 ? { "Retry-After": RETRY_AFTER_S } : {}) };
  return body ? Response.json(body, { status, headers }) : new Response(null, { status, headers });
}

/** Returns true if the caller may send a message: everybody to a public topic, and those whom a policy allows to a private one. */
type MayWrite = (message: Message) => Promise<boolean>;

/** Creates the function that checks the messages of one request; it evaluates the policies once for each topic. */
export function createMayWrite({ feed, limits }: Services, caller: Caller): MayWrite {
  const permitted = new Map<string, Promise<boolean>>();

  async function mayWriteTo(topic: string): Promise<boolean> {
    return (await feed.authorise(caller, topic)).broadcast.write;
  }

  return async function mayWrite({ topic, private: isPrivate }) {
    if (!isPrivate) return !limits.private_only;
    const result = permitted.get(topic) ?? mayWriteTo(topic);
    permitted.set(topic, result);
    return result;
  };
}
