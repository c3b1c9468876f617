import type { Target } from "./endpoints.ts";
import type { HostileRequest } from "./hostile-request.ts";
import type { Random } from "./random.ts";
import { forgedToken, hostileText, hostileValue } from "./values.ts";

const TEXT = 1;
const BINARY = 2;
const CLOSE = 8;
const PING = 9;
const EVENTS = ["phx_join", "phx_leave", "heartbeat", "access_token", "broadcast", "presence", "phx_reply", "phx_close", "nope", ""];

/** A WebSocket to the realtime API, upgraded with a valid or an invalid key, and the frames of a hostile client. */
export function webSocketRequest(
  random: Random,
  target: Target,
): Pick<HostileRequest, "endpoint" | "pieces" | "leaves" | "complete" | "reads"> {
  const [kind, frames] = random.pick(KINDS);
  const bytes = frames(random, target);
  const start = upgrade(random, target);
  return {
    endpoint: `realtime: ${kind}`,
    // Some clients send frames before the upgrade is answered.
    pieces: random.chance(0.2) ? [Buffer.concat([start, ...bytes])] : [start, ...bytes],
    leaves: random.chance(0.1),
    complete: true,
    reads: !random.chance(0.15),
  };
}

const KINDS: readonly [string, (random: Random, target: Target) => Buffer[]][] = [
  ["no frames", () => []],
  ["random bytes", (random) => [randomBytes(random, random.pick([1, 20, 2000]))]],
  ["hostile JSON", (random) => repeated(50, () => frame(TEXT, JSON.stringify(hostileValue(random))))],
  ["hostile messages", (random, target) => [join(random, target), ...repeated(50, () => message(random, target))]],
  ["text that is no JSON", (random) => repeated(20, () => frame(TEXT, hostileText(random)))],
  ["text that is no UTF-8", () => [frame(TEXT, Buffer.from("c328ff00edA080", "hex"))]],
  ["binary frames", (random, target) => [join(random, target), ...repeated(50, () => frame(BINARY, binaryBroadcast(random)))]],
  ["one byte in each fragment", (random, target) => [Buffer.concat(fragments(JSON.stringify(joinMessage(random, target))))]],
  ["endless fragments", () => [Buffer.concat([frame(TEXT, "[", { fin: false }), ...repeated(20_000, () => frame(0, "", { fin: false }))])]],
  ["continuation of nothing", () => [frame(0, "x")]],
  ["control frame between fragments", () => [frame(TEXT, "[", { fin: false }), frame(PING, "x"), frame(TEXT, "]")]],
  ["oversized frame", (random) => [frame(TEXT, "x".repeat(random.pick([70_000, 1_000_000, 5_000_000])))]],
  ["wrong length", (random) => [frame(TEXT, "x", { length: random.pick([2n ** 63n, 2n ** 53n, 2n ** 31n, 1_000_000n]) })]],
  ["unmasked", () => [frame(TEXT, "[]", { isMasked: false })]],
  ["reserved bits and opcodes", (random) => [frame(3 + random.below(5), "x"), frame(TEXT, "x", { reserved: 0x70 })]],
  ["ping flood", () => [Buffer.concat(repeated(5000, () => frame(PING, "x".repeat(125))))]],
  ["long control frame", () => [frame(PING, "x".repeat(126))]],
  ["close with a bad code", (random) => [frame(CLOSE, Buffer.from(random.pick(["", "03", "03ed", "0000", "ffff", "03e8ff"]), "hex"))]],
  ["thousands of joins", (random, target) => [Buffer.concat(repeated(3000, (index) => join(random, target, `t${index}`)))]],
  ["joins of one topic", (random, target) => [Buffer.concat(repeated(1000, () => join(random, target, "same")))]],
  ["presence flood", (random, target) => [join(random, target, "same"), Buffer.concat(repeated(2000, (index) => presence(index)))]],
  ["broadcast flood", (random, target) => [join(random, target, "same"), Buffer.concat(repeated(2000, () => broadcast(random)))]],
];

function upgrade(random: Random, { port, publishableKey }: Target): Buffer {
  const key = random.chance(0.8) ? publishableKey : random.pick(["", "x", "%ff", forgedToken(random, publishableKey)]);
  const version = random.pick(["1.0.0", "2.0.0", "2.0.0", "", "9", "%00"]);
  const head = [
    `GET /realtime/v1/websocket?apikey=${encodeURIComponent(key)}&vsn=${version}&log_level=${random.pick(["info", "x"])} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    "Connection: Upgrade",
    "Upgrade: websocket",
    `Sec-WebSocket-Key: ${random.chance(0.95) ? "dGhlIHNhbXBsZSBub25jZQ==" : "x"}`,
    `Sec-WebSocket-Version: ${random.chance(0.95) ? "13" : "99"}`,
  ];
  if (random.chance(0.2)) head.push(`Sec-WebSocket-Extensions: ${random.pick(["permessage-deflate", "x;".repeat(1000), 'a="'])}`);
  if (random.chance(0.1)) head.push(`Sec-WebSocket-Protocol: ${random.pick(["phoenix", ",,", "a,".repeat(1000)])}`);
  return Buffer.from(`${head.join("\r\n")}\r\n\r\n`, "latin1");
}

function joinMessage(random: Random, { publishableKey }: Target, topic = hostileText(random)): unknown[] {
  const changes = {
    event: "*",
    schema: "public",
    table: random.pick(["blog_posts", "bookings", "nope"]),
    filter: random.pick(["id=eq.1", "x"]),
  };
  const config = {
    broadcast: { ack: true, self: true },
    presence: { key: random.pick(["", "k", "__proto__"]), enabled: true },
    postgres_changes: random.chance(0.3) ? Array.from({ length: random.pick([1, 100, 500]) }, () => changes) : [],
    private: random.chance(0.2),
  };
  const access_token = random.chance(0.5) ? publishableKey : forgedToken(random, publishableKey);
  return ["1", "1", `realtime:${topic}`, "phx_join", { config: random.chance(0.1) ? hostileValue(random) : config, access_token }];
}

function join(random: Random, target: Target, topic?: string): Buffer {
  return frame(TEXT, JSON.stringify(joinMessage(random, target, topic)));
}

function message(random: Random, target: Target): Buffer {
  const fields = [...joinMessage(random, target, random.pick(["same", hostileText(random)]))];
  fields[3] = random.pick(EVENTS);
  if (random.chance(0.5)) fields[random.below(fields.length)] = hostileValue(random);
  const [join_ref, ref, topic, event, payload] = fields;
  return frame(TEXT, JSON.stringify(random.chance(0.5) ? fields : { join_ref, ref, topic, event, payload }));
}

function presence(index: number): Buffer {
  const payload = { type: "presence", event: index % 3 === 2 ? "untrack" : "track", payload: { index, text: "x".repeat(500) } };
  return frame(TEXT, JSON.stringify(["1", String(index), "realtime:same", "presence", payload]));
}

function broadcast(random: Random): Buffer {
  const payload = { type: "broadcast", event: "e", payload: { text: "x".repeat(random.pick([1, 1000])) } };
  return frame(TEXT, JSON.stringify(["1", "2", "realtime:same", "broadcast", payload]));
}

/** A user broadcast of version 2.0.0, whose lengths may exceed the bytes. */
function binaryBroadcast(random: Random): Buffer {
  const lengths = Array.from({ length: 6 }, () => random.pick([0, 1, 4, 255]));
  return Buffer.concat([Buffer.from([random.pick([3, 3, 0, 4, 255]), ...lengths]), randomBytes(random, random.pick([0, 10, 1000]))]);
}

interface FrameOptions {
  fin?: boolean;
  isMasked?: boolean;
  reserved?: number;
  /** A length other than that of the payload. */
  length?: bigint;
}

function frame(opcode: number, content: string | Buffer, { fin = true, isMasked = true, reserved = 0, length }: FrameOptions = {}): Buffer {
  const payload = Buffer.from(content);
  const head = Buffer.alloc(10);
  head[0] = (fin ? 0x80 : 0) | reserved | opcode;
  const masked = isMasked ? 0x80 : 0;
  const size = length ?? BigInt(payload.length);
  let used = 2;
  if (size < 126n) head[1] = masked | Number(size);
  else if (size < 65_536n) {
    head[1] = masked | 126;
    used = 2 + head.subarray(2).writeUInt16BE(Number(size));
  } else {
    head[1] = masked | 127;
    used = 2 + head.subarray(2).writeBigUInt64BE(size);
  }
  // A mask of zeros leaves the payload as it is.
  return Buffer.concat([head.subarray(0, used), Buffer.alloc(isMasked ? 4 : 0), payload]);
}

function fragments(text: string): Buffer[] {
  const bytes = Buffer.from(text).subarray(0, 5000);
  return [...bytes].map((byte, index) => frame(index === 0 ? TEXT : 0, Buffer.from([byte]), { fin: index === bytes.length - 1 }));
}

function repeated(length: number, create: (index: number) => Buffer): Buffer[] {
  return Array.from({ length }, (_, index) => create(index));
}

function randomBytes(random: Random, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => random.below(256)));
}
