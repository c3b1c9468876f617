import { z } from "zod";
import { TokenBucket } from "../token-bucket.ts";
import { readBroadcast, sendBroadcast } from "./broadcast.ts";
import { openChanges } from "./changes.ts";
import type { Caller } from "./database/ask.ts";
import type { Moment } from "./moment.ts";
import { RealtimeError } from "./errors.ts";
import { createInbox } from "./inbox.ts";
import type { JoinConfig } from "./join-payload.ts";
import { outgoing, type Outgoing } from "./message.ts";
import type { FrameBytes } from "./protocol/frame-bytes.ts";
import { TOPIC_PREFIX, type Frame, type Version } from "./protocol/frame.ts";
import { channelPresence } from "./presence/channel-presence.ts";
import type { SharedFrame } from "./protocol/shared-frame.ts";
import { NO_REPLAY, readReplay } from "./replay.ts";
import { ALL_RIGHTS, type Rights } from "./rights.ts";
import type { Services } from "./services.ts";
import { createTokenRefresh } from "./token-refresh.ts";
import type { Token } from "./token.ts";
import type { Subscriber } from "./topics.ts";

/** The functions of a client's socket that its channels use. */
export interface ChannelSocket {
  /** The client network. */
  readonly network: string;
  readonly version: Version;
  /** Counts work that an anonymous client caused (`throttle.ts`). */
  charge(units: number): void;
  /** Counts the presence calls of the client. */
  readonly presenceEvents: TokenBucket;
  send(frame: Frame): void;
  /** Answers a frame of the client. */
  reply(frame: Frame, status: Status, response?: object): void;
  /** Sends a frame, or several in one buffer. */
  sendEncoded(frame: FrameBytes): void;
  /** Waits until earlier frames are written, or the socket is closed; undefined if it has room for `length` more bytes. */
  waitForRoom(length: number): Promise<void> | undefined;
  /** Removes a channel that has ended. */
  remove(channel: Channel): void;
  /** Ends a channel that failed; the client joins again. */
  crash(channel: Channel): void;
}

interface ChannelOptions {
  socket: ChannelSocket;
  services: Services;
  joinRef: string | null;
  /** The topic with its prefix. */
  wireTopic: string;
  config: JoinConfig;
  token: Token;
}

/** The status of an answer to a frame of the client. */
export type Status = "ok" | "error";

/** One topic that a client has joined. */
export interface Channel extends Subscriber {
  readonly joinRef: string | null;
  readonly wireTopic: string;
  readonly token: Token;
  /** Starts what follows the response to the join. */
  start(): void;
  receive(frame: Frame): Promise<void> | void;
  sweep(moment: Moment): void;
  /** Ends the channel with a message about the reason. */
  fail(error: RealtimeError): void;
  /** Ends the channel and notifies the client. */
  close(): void;
  /** Ends the channel without notifying the client. */
  end(): void;
}

const tokenSchema = z.object({ access_token: z.string().nullable() });

/** Checks the rights of a caller on a topic and subscribes the channel. Fails with a `RealtimeError`. */
export async function openChannel({ socket, services, joinRef, wireTopic, config, token: first }: ChannelOptions): Promise<Channel> {
  const { topics, feed, limits } = services;
  const topic = wireTopic.slice(TOPIC_PREFIX.length);
  // Copied one by one: other parts of the configuration may be long, and would stay in memory as long as the channel.
  const { ack, self, replication_ready: announcesReplication } = config.broadcast;
  const { private: isPrivate } = config;
  const events = new TokenBucket({ perSecond: limits.max_events_per_second });
  let hasStarted = false;
  let hasEnded = false;
  /** True if changes or messages may be missing. */
  let isLost = false;

  function callerOf({ identity: { role, claims } }: Token): Caller {
    return { role, claims, network: socket.network };
  }

  async function rightsOf(token: Token): Promise<Rights> {
    return isPrivate ? feed.authorise(callerOf(token), topic) : ALL_RIGHTS;
  }

  if (limits.private_only && !isPrivate) throw new RealtimeError("PrivateOnly", "This project only allows private channels");
  let rights = await rightsOf(first);
  if (!rights.broadcast.read && !rights.presence.read)
    throw new RealtimeError("Unauthorized", `You do not have permissions to read from this Channel topic: ${topic}`);

  const tokens = createTokenRefresh(first, services, {
    async apply(next) {
      const allowed = await rightsOf(next);
      // As on hosted projects, also if the client may still read something else: it would show outdated messages or members as current.
      const isLess = (rights.broadcast.read && !allowed.broadcast.read) || (members.isShown() && !allowed.presence.read);
      if (isLess || (!allowed.broadcast.read && !allowed.presence.read))
        throw new RealtimeError("Unauthorized", `You no longer have permission to read from this Channel topic: ${topic}`);
      await changes.update(callerOf(next));
      const isNewlyShown = !rights.presence.read && allowed.presence.read;
      rights = allowed;
      if (isNewlyShown) members.sendState();
    },
    fail: (error) => channel.fail(error),
  });
  const changes = await openChanges({
    feed,
    config,
    caller: callerOf(first),
    pushSystem,
    deliver(received) {
      for (const frames of services.framesOfChanges(received, wireTopic, socket.version)) socket.sendEncoded(frames);
    },
    onLoss,
  });

  function onLoss(): void {
    isLost = true;
    if (hasStarted) socket.crash(channel);
  }

  function push(event: string, payload: object): void {
    if (!hasEnded) socket.send({ joinRef: null, ref: null, topic: wireTopic, event, payload });
  }

  function pushSystem(extension: string, status: "ok" | "error", message: string): void {
    push("system", { extension, status, message, channel: topic });
  }

  function acknowledge(frame: Frame, status: Status, response?: object): void {
    if (ack) socket.reply(frame, status, response);
  }

  /** Sends a broadcast. A client that receives its own messages may send faster than it reads, so its next frame waits until it has read them. */
  function broadcast(frame: Frame): Promise<void> | void {
    if (!events.take()) return channel.fail(new RealtimeError("ChannelRateLimitReached", "Too many messages per second"));
    const parsed = readBroadcast(frame.payload);
    if ("error" in parsed) return acknowledge(frame, "error", parsed);
    if (!rights.broadcast.write) return acknowledge(frame, "error", { error: "unauthorized" });
    const message = outgoing({ topic, private: isPrivate, event: parsed.event, payload: parsed.payload }, frame.relay);
    if (message.size > limits.max_payload_size_in_kb * 1024) return acknowledge(frame, "error", { error: "payload_size_exceeded" });
    socket.charge(topics.of(topic, isPrivate).size);
    const sent = sendBroadcast(services, message, self ? undefined : channel);
    if (sent) void sent.then(() => acknowledge(frame, "ok"));
    else acknowledge(frame, "ok");
    if (self) return socket.waitForRoom(0);
  }

  const members = channelPresence({
    presence: services.presence,
    topic,
    isPrivate,
    key: config.presence.key,
    enabled: config.presence.enabled,
    charge: (units) => socket.charge(units),
    mayRead: () => rights.presence.read,
    mayWrite: () => rights.presence.write,
    push,
    fail: (error) => channel.fail(error),
  });

  const inbox = createInbox({
    show(message) {
      if (rights.broadcast.read) show(message);
    },
    waitForRoom: (message) => socket.waitForRoom(message.encoded(socket.version)?.length ?? 0),
    onLoss,
  });
  let replay = NO_REPLAY;

  function show(frame: SharedFrame): void {
    const encoded = frame.encoded(socket.version);
    if (encoded) socket.sendEncoded(encoded);
  }

  const channel: Channel = {
    joinRef,
    wireTopic,
    get token() {
      return tokens.current;
    },
    start() {
      hasStarted = true;
      if (isLost) return socket.crash(channel);
      inbox.start(replay)?.catch((error: unknown) => {
        services.log.error({ err: error }, "stored realtime messages cannot be sent");
        socket.crash(channel);
      });
      replay = NO_REPLAY;
      if (hasEnded) return;
      changes.start();
      members.sendState();
      if (announcesReplication) pushSystem("system", "ok", "Replication connection established");
    },
    deliver(message: Outgoing) {
      if (rights.broadcast.read) inbox.deliver(message);
    },
    deliverPresence(diff) {
      if (members.isShown()) show(diff);
    },
    receive(frame) {
      if (frame.event === "broadcast") return broadcast(frame);
      if (frame.event === "presence") {
        if (socket.presenceEvents.take())
          return members.receive(frame.payload, (status, response) => socket.reply(frame, status, response));
        return channel.fail(new RealtimeError("ClientJoinRateLimitReached", "Too many presence messages per second"));
      }
      if (frame.event === "access_token") {
        const { data } = tokenSchema.safeParse(frame.payload);
        return tokens.offer(data?.access_token ?? null);
      }
    },
    sweep: (moment) => tokens.sweep(moment),
    fail(error) {
      pushSystem("system", "error", error.message);
      channel.close();
    },
    close() {
      if (hasEnded) return;
      socket.send({ joinRef, ref: joinRef, topic: wireTopic, event: "phx_close", payload: {} });
      channel.end();
      socket.remove(channel);
    },
    end() {
      hasEnded = true;
      topics.remove(topic, isPrivate, channel);
      inbox.end();
      members.end();
      changes.end();
    },
  };
  topics.add(topic, isPrivate, channel);
  try {
    if (rights.broadcast.read) replay = await readReplay(feed, callerOf(first), topic, isPrivate, config.broadcast.replay);
  } catch (error) {
    channel.end();
    throw error;
  }
  return channel;
}
