import { z } from "zod";
import { RealtimeError } from "../errors.ts";
import { TokenBucket } from "../../token-bucket.ts";
import type { PresenceState } from "./members.ts";
import type { Presence } from "./presence.ts";

interface ChannelPresenceOptions {
  presence: Presence;
  topic: string;
  isPrivate: boolean;
  key: string | null | undefined;
  /** True if the client requests the members. */
  enabled: boolean;
  /** Counts the work of frames to members. */
  charge(units: number): void;
  mayRead(): boolean;
  mayWrite(): boolean;
  push(event: string, payload: object): void;
  fail(error: RealtimeError): void;
}

/** The part of a channel that tracks its client and shows it the other members. */
interface ChannelPresence {
  /** Returns true if the client receives changes of the members. */
  isShown(): boolean;
  /** Sends the members, if the client wants to see them and may. */
  sendState(): void;
  receive(payload: unknown, reply: (status: "ok" | "error", response?: object) => void): void;
  end(): void;
}

// As on hosted projects: calls in half a minute, and keys of an object.
const MAX_CALLS = 5;
const CALLS_SECONDS = 30;
const MAX_KEYS = 10;
/** Every member of a topic receives the objects of all others. */
const MAX_BYTES = 16_384;

const callSchema = z.object({ event: z.string().transform((event) => event.toLowerCase()), payload: z.unknown().optional() });
const trackedSchema = z.record(z.string(), z.unknown());

/** Creates the presence part of a channel. */
export function channelPresence(options: ChannelPresenceOptions): ChannelPresence {
  const { presence, topic, isPrivate, charge, mayRead, mayWrite, push, fail } = options;
  const id = crypto.randomUUID();
  const key = options.key || id;
  const calls = new TokenBucket({ perSecond: MAX_CALLS / CALLS_SECONDS, burst: MAX_CALLS });
  let isEnabled = options.enabled;
  /** True once the client has received the list of members, which includes earlier changes. */
  let isInformed = false;

  function show(members: PresenceState): void {
    // The right may have been lost while they were read.
    if (!mayRead()) return;
    isInformed = true;
    push("presence_state", members);
  }

  function sendState(): void {
    if (!isEnabled || !mayRead()) return;
    charge(presence.count(topic, isPrivate));
    const state = presence.state(topic, isPrivate);
    if (state instanceof Promise) void state.then(show);
    else show(state);
  }

  function untrack(): void {
    if (presence.untrack(topic, isPrivate, id)) charge(presence.count(topic, isPrivate));
  }

  return {
    isShown: () => isInformed && mayRead(),
    sendState,
    receive(given, reply) {
      if (!calls.take()) return fail(new RealtimeError("ClientJoinRateLimitReached", "Client presence rate limit exceeded"));
      const { data: call } = callSchema.safeParse(given);
      if (call?.event === "untrack") untrack();
      else if (call?.event === "track") {
        const { data: payload } = trackedSchema.safeParse(call.payload ?? {});
        if (!payload) return reply("error", { reason: "Presence track payload must be a map" });
        if (Object.keys(payload).length > MAX_KEYS)
          return reply("error", { reason: `Presence track payload has more than ${MAX_KEYS} keys` });
        if (!mayWrite()) return reply("error", { reason: "unauthorized" });
        if (Buffer.byteLength(JSON.stringify(payload)) > MAX_BYTES)
          return fail(new RealtimeError("ClientJoinRateLimitReached", "Track message size exceeded"));
        if (!isEnabled) {
          isEnabled = true;
          sendState();
        }
        charge(presence.count(topic, isPrivate));
        presence.track(topic, isPrivate, { id, key, payload });
      } else return reply("error", { reason: "Unknown presence event" });
      reply("ok");
    },
    end: untrack,
  };
}
