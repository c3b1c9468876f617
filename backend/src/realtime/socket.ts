import { Buffer } from "node:buffer";
import type { Duplex } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import type { WebSocket } from "ws";
import { bindingsOf } from "./changes.ts";
import { openChannel, type Channel, type ChannelSocket, type Status } from "./channel.ts";
import { DatabaseError } from "../db/database.ts";
import { TokenBucket } from "../token-bucket.ts";
import type { Moment } from "./moment.ts";
import { RealtimeError } from "./errors.ts";
import { parseJoin } from "./join-payload.ts";
import { decodePush } from "./protocol/binary-frames.ts";
import { TOPIC_PREFIX, type Frame, type Version } from "./protocol/frame.ts";
import { decodeText, encodeText } from "./protocol/text-frames.ts";
import type { Services } from "./services.ts";
import { JOIN_UNITS, unitsOf } from "./throttle.ts";
import { isApiKey, type Token } from "./token.ts";

/**
 * A client that sends nothing for this long, or does not read while a channel waits for it, is disconnected; the official ones send a
 * heartbeat every 25 seconds.
 */
const LONGEST_SILENCE_MS = 60_000;
const LONGEST_WITHOUT_CHANNELS_MS = 600_000;
/** The longest pause of a client without channels, who may be a user that signs in with the next join. */
const LONGEST_PAUSE_BEFORE_JOIN_MS = 1000;
/** Frames of any kind per event that the limit allows; a client that sends more is disconnected. */
const FRAMES_PER_EVENT = 5;

/** The WebSocket close codes that are used here (RFC 6455, 7.4.1). */
export const CLOSE = { goingAway: 1001, policyViolation: 1008, serviceRestart: 1012 } as const;

/** One connected client. */
export interface ClientSocket extends ChannelSocket {
  readonly channels: ReadonlyMap<string, Channel>;
  /** False once the client has joined a channel as a signed-in user. */
  readonly isAnonymous: boolean;
  /** The time of `performance.now()` since which the client has no channel; undefined if it has one. */
  readonly emptySince: number | undefined;
  /** Ends channels with an expired token, a silent client and a socket without channels. */
  sweep(moment: Moment): void;
  close(code: number, reason: string): void;
  terminate(): void;
}

interface SocketOptions {
  /** The connection below the WebSocket. */
  connection: Duplex;
  version: Version;
  /** The credential that the client connected with. */
  token: Token;
  network: string;
}

/** Speaks the Phoenix protocol with a client until the socket closes. */
export function openSocket(ws: WebSocket, { connection, version, token, network }: SocketOptions, services: Services): ClientSocket {
  const { limits, log } = services;
  const writer = services.frameWriter(connection);
  const channels = new Map<string, Channel>();
  const joins = new TokenBucket({ perSecond: limits.max_joins_per_second });
  const frames = new TokenBucket({ perSecond: limits.max_events_per_second * FRAMES_PER_EVENT });
  /** Frames that arrived while an earlier one is handled; at most one chunk of the network, because reading is paused meanwhile. */
  const waiting: { data: Buffer; isBinary: boolean }[] = [];
  let isBusy = false;
  let heardAt = performance.now();
  let emptySince: number | undefined = heardAt;
  let wasMalformed = false;
  /** The number of channels that wait for the client to read, and when it last read for one of them. */
  let channelsWithoutRoom = 0;
  let readAt = 0;
  let isAnonymous = token.identity.role === "anon";

  const socket: ClientSocket = {
    version,
    network,
    presenceEvents: new TokenBucket({ perSecond: limits.max_presence_events_per_second }),
    channels,
    get emptySince() {
      return emptySince;
    },
    get isAnonymous() {
      return isAnonymous;
    },
    charge(units) {
      if (isAnonymous) services.throttle.take(network, units);
    },
    send: (frame) => socket.sendEncoded(encodeText(version, frame)),
    reply,
    sendEncoded(frame) {
      if (ws.readyState !== ws.OPEN || writer.write(frame)) return;
      log.info("realtime client does not read and is disconnected");
      ws.terminate();
    },
    waitForRoom(length) {
      const room = writer.waitForRoom(length);
      return room && untilRead(room);
    },
    remove(channel) {
      if (channels.get(channel.wireTopic) === channel) channels.delete(channel.wireTopic);
      if (channels.size === 0) emptySince ??= performance.now();
    },
    sweep(moment) {
      for (const channel of channels.values()) channel.sweep(moment);
      const { ms } = moment;
      if (emptySince !== undefined && ms - emptySince > LONGEST_WITHOUT_CHANNELS_MS) socket.close(CLOSE.goingAway, "No channels joined");
      else if (ms - heardAt > LONGEST_SILENCE_MS || (channelsWithoutRoom > 0 && ms - readAt > LONGEST_SILENCE_MS)) ws.terminate();
    },
    crash,
    close: (code, reason) => ws.close(code, reason),
    terminate: () => ws.terminate(),
  };

  // `ws` calls it, too, to answer a client that closes. The frames that wait belong before that answer.
  const close = ws.close.bind(ws);
  ws.close = (code, reason) => {
    writer.flush();
    close(code, reason);
  };
  ws.on("error", (error) => log.debug({ err: error }, "realtime socket failed"));
  ws.on("close", () => {
    for (const channel of channels.values()) channel.end();
    channels.clear();
    waiting.length = 0;
  });
  ws.on("message", (data, isBinary) => {
    heardAt = performance.now();
    if (!frames.take()) return socket.close(CLOSE.policyViolation, "Too many frames");
    // With the default `binaryType`, a message is one buffer.
    if (!Buffer.isBuffer(data)) return;
    if (isBusy) return void waiting.push({ data, isBinary });
    const handled = receive(data, isBinary);
    if (handled) void work(handled);
  });

  /** Handles the frames that arrive during the work of an earlier one in order; reading is paused meanwhile. */
  async function work(first: Promise<void>): Promise<void> {
    isBusy = true;
    ws.pause();
    await first;
    for (let next = waiting.shift(); next; next = waiting.shift()) await receive(next.data, next.isBinary);
    isBusy = false;
    ws.resume();
  }

  /** Handles a frame. The promise is of a frame that waits for the database, or for its turn among those of anonymous clients; it does not fail. */
  function receive(data: Buffer, isBinary: boolean): Promise<void> | void {
    const pauseMs = isAnonymous ? services.throttle.take(network, unitsOf(data.length)) : 0;
    if (pauseMs === 0) return receiveNow(data, isBinary);
    return receiveLater(channels.size === 0 ? Math.min(pauseMs, LONGEST_PAUSE_BEFORE_JOIN_MS) : pauseMs, data, isBinary);
  }

  async function receiveLater(pauseMs: number, data: Buffer, isBinary: boolean): Promise<void> {
    await delay(pauseMs, undefined, { ref: false });
    if (ws.readyState !== ws.CLOSED) await receiveNow(data, isBinary);
  }

  function receiveNow(data: Buffer, isBinary: boolean): Promise<void> | void {
    const frame = decode(data, isBinary);
    if (!frame) return;
    try {
      const handled = handle(frame);
      return handled ? handled.catch((error: unknown) => failed(frame, error)) : undefined;
    } catch (error) {
      failed(frame, error);
    }
  }

  function failed({ topic }: Frame, error: unknown): void {
    log.error({ err: error }, "realtime frame failed");
    const channel = channels.get(topic);
    if (channel) crash(channel);
  }

  function decode(data: Buffer, isBinary: boolean): Frame | undefined {
    const frame = isBinary ? (version === "2.0.0" ? decodePush(data) : undefined) : decodeText(version, data);
    if (!frame && !wasMalformed) log.warn({ version, isBinary }, "malformed realtime frame");
    wasMalformed ||= !frame;
    return frame;
  }

  function handle(frame: Frame): Promise<void> | void {
    const { topic, event } = frame;
    const channel = channels.get(topic);
    if (!channel && topic === "phoenix") return event === "heartbeat" ? reply(frame, "ok") : undefined;
    if (event === "phx_join") return join(frame);
    const isOurs = channel && (frame.joinRef === null || frame.joinRef === channel.joinRef);
    if (event === "phx_leave") {
      reply(frame, "ok");
      if (isOurs) channel.close();
    } else if (!channel) reply(frame, "error", { reason: "unmatched topic" });
    else if (isOurs) return channel.receive(frame);
  }

  async function join(frame: Frame): Promise<void> {
    const { topic, joinRef } = frame;
    socket.charge(JOIN_UNITS);
    if (!joins.take()) {
      refuse(frame, new RealtimeError("ClientJoinRateLimitReached", "Too many joins per second"));
      return socket.close(CLOSE.policyViolation, "Too many joins per second");
    }
    channels.get(topic)?.close();
    try {
      if (!topic.startsWith(TOPIC_PREFIX)) return reply(frame, "error", { reason: "unmatched topic" });
      if (topic === TOPIC_PREFIX) throw new RealtimeError("TopicNameRequired", "You must provide a topic name");
      if (channels.size >= limits.max_channels_per_client)
        throw new RealtimeError("ChannelRateLimitReached", `Too many channels (${limits.max_channels_per_client} per connection)`);
      const { config, isReadable, token: sent } = parseJoin(frame.payload);
      if (!isReadable) log.warn("configuration of a realtime channel cannot be read");
      const own = !sent || isApiKey(sent) ? token : await services.readToken(sent);
      const isSignedIn = own.identity.role !== "anon";
      if (channels.size === 0 && !services.hasPlace(isSignedIn))
        throw new RealtimeError("ConnectionRateLimitReached", "Too many connected users");
      const channel = await openChannel({ socket, services, joinRef: joinRef ?? frame.ref, wireTopic: topic, config, token: own });
      if (ws.readyState !== ws.OPEN) return channel.end();
      channels.set(topic, channel);
      isAnonymous &&= !isSignedIn;
      emptySince = undefined;
      reply(frame, "ok", { postgres_changes: bindingsOf(config) });
      channel.start();
    } catch (error) {
      if (channels.size === 0) emptySince ??= performance.now();
      refuse(frame, error);
    }
  }

  function refuse(frame: Frame, error: unknown): void {
    if (error instanceof RealtimeError) return reply(frame, "error", { reason: error.reason });
    const isOutage = error instanceof DatabaseError && error.isOutage;
    if (!isOutage) log.error({ err: error }, "realtime channel cannot be joined");
    const reason = "UnableToConnectToProject: Realtime was unable to connect to the project database";
    reply(frame, "error", { reason: isOutage ? reason : "Unknown Error on Channel" });
  }

  async function untilRead(room: Promise<void>): Promise<void> {
    if (channelsWithoutRoom === 0) readAt = performance.now();
    channelsWithoutRoom += 1;
    await room;
    channelsWithoutRoom -= 1;
    readAt = performance.now();
  }

  function reply({ joinRef, ref, topic }: Frame, status: Status, response: object = {}): void {
    socket.send({ joinRef, ref, topic, event: "phx_reply", payload: { status, response } });
  }

  /** Ends a channel that failed; the client joins again. */
  function crash(channel: Channel): void {
    const { joinRef, wireTopic: topic } = channel;
    channel.end();
    socket.remove(channel);
    socket.send({ joinRef, ref: joinRef, topic, event: "phx_error", payload: {} });
  }

  return socket;
}
