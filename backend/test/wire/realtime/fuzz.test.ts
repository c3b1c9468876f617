import { once } from "node:events";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { anyText } from "../../any-text.ts";
import { openTestPglite } from "../../database.ts";
import { decodePush, encodeBroadcast } from "../../../src/realtime/protocol/binary-frames.ts";
import { decodeText } from "../../../src/realtime/protocol/text-frames.ts";
import { openRealtime, SECRET_KEY, VERSIONS, type RealtimeFixture } from "./fixture.ts";
import { openRawSocket } from "./raw-socket.ts";

let realtime: RealtimeFixture;
beforeAll(async () => {
  realtime = await openRealtime(openTestPglite, {
    max_events_per_second: 100_000,
    max_joins_per_second: 100_000,
    max_users_per_network: 1000,
    // The last of the many frames below wait for their turn.
    max_anonymous_frames_per_second: 10_000,
  });
});
afterAll(() => realtime[Symbol.asyncDispose]());

const topic = fc.oneof(fc.constantFrom("realtime:a", "realtime:", "phoenix", "__proto__"), fc.string());
const event = fc.oneof(
  fc.constantFrom("phx_join", "phx_leave", "broadcast", "presence", "access_token", "heartbeat", "phx_close"),
  fc.string(),
);
const ref = fc.oneof(fc.constant(null), fc.constantFrom("1", "2"), fc.string());
const payload = fc.oneof(
  fc.jsonValue(),
  fc.record({
    config: fc.oneof(fc.jsonValue(), fc.record({ broadcast: fc.jsonValue(), presence: fc.jsonValue(), postgres_changes: fc.jsonValue() })),
  }),
  fc.record({ type: fc.jsonValue(), event: fc.oneof(fc.constantFrom("track", "untrack"), fc.jsonValue()), payload: fc.jsonValue() }),
  fc.record({ access_token: fc.jsonValue() }),
);
const array = fc.tuple(ref, ref, topic, event, payload).map((frame) => JSON.stringify(frame));
const object = fc.record({ topic, event, payload, ref, join_ref: ref }, { requiredKeys: [] }).map((frame) => JSON.stringify(frame));
const push = fc
  .tuple(fc.array(fc.nat(40), { minLength: 5, maxLength: 5 }), fc.nat(3), fc.uint8Array({ maxLength: 200 }))
  .map(([lengths, encoding, rest]) => Buffer.from([3, ...lengths, encoding, ...rest]));
const frame = fc.oneof(
  array,
  object,
  push,
  fc.string(),
  fc.uint8Array({ maxLength: 50 }).map((bytes) => Buffer.from(bytes)),
);

test("any bytes are a frame or nothing", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        push,
        fc.uint8Array().map((bytes) => Buffer.from(bytes)),
        array.map((text) => Buffer.from(text)),
      ),
      (bytes) => {
        for (const decoded of [decodePush(bytes), ...VERSIONS.map((version) => decodeText(version, bytes))])
          expect(decoded === undefined || typeof decoded.topic === "string").toBe(true);
      },
    ),
  );
});

/** A push whose names are `names`: join_ref, ref, topic and event. */
function pushOf(names: readonly Buffer[]): Buffer {
  return Buffer.concat([Buffer.from([3, ...names.map(({ length }) => length), 0, 1]), ...names, Buffer.from("{}")]);
}

test("names of any characters are read as they were written", () => {
  // A name has at most 255 bytes.
  const name = fc.oneof(fc.string({ maxLength: 60 }), anyText(60));
  fc.assert(
    fc.property(fc.tuple(name, name, name, name), (names) => {
      // A byte order mark at the start of a text is not part of it.
      const [joinRef, ownRef, topicName, eventName] = names.map((text) => text.replace(/^\uFEFF/, ""));
      expect(decodePush(pushOf(names.map((text) => Buffer.from(text))))).toEqual({
        joinRef: joinRef === "" ? null : joinRef,
        ref: ownRef === "" ? null : ownRef,
        topic: topicName,
        event: "broadcast",
        payload: { type: "broadcast", event: eventName, payload: {} },
        relay: expect.objectContaining({ size: 2 }),
      });
    }),
  );
});

test("a binary broadcast is passed on with the bytes of its names and payload, without its metadata", () => {
  const names = ["1", "22", "realtime:Zürich", "é", "{}"].map((text) => Buffer.from(text));
  const json = Buffer.from('{"b": 1.50, "a":"ü"}');
  const decoded = decodePush(Buffer.concat([Buffer.from([3, ...names.map(({ length }) => length), 1]), ...names, json]));
  const [, , topicName = Buffer.alloc(0), eventName = Buffer.alloc(0)] = names;
  const sent = Buffer.concat([Buffer.from([4, topicName.length, eventName.length, 0, 1]), topicName, eventName, json]);
  expect(decoded?.relay).toEqual({ frame: Buffer.concat([Buffer.from([0x82, sent.length]), sent]), size: json.length });
});

test("a binary broadcast of any size, alone or in a longer chunk of the network, is passed on as the server would write it", () => {
  const name = anyText(60);
  const size = fc.oneof(fc.nat(300), fc.integer({ min: 65_400, max: 65_600 }));
  fc.assert(
    fc.property(
      fc.tuple(name, name, name, name, fc.constantFrom("", "{}")),
      size,
      fc.nat(5000),
      fc.boolean(),
      (names, length, before, isText) => {
        const [, , topicName, eventName] = names;
        const content = isText ? JSON.stringify("x".repeat(length)) : Buffer.alloc(length, 0xff);
        const parts = names.map((text) => Buffer.from(text));
        const head = Buffer.from([3, ...parts.map((bytes) => bytes.length), isText ? 1 : 0]);
        const chunk = Buffer.concat([Buffer.alloc(before), head, ...parts, Buffer.from(content)]);
        const sent = decodePush(chunk.subarray(before))?.relay;
        expect(sent?.frame.equals(encodeBroadcast(topicName, eventName, "", content) ?? Buffer.alloc(0))).toBe(true);
        expect(sent?.size).toBe(Buffer.byteLength(content));
      },
    ),
  );
});

test("a name that is not UTF-8 makes a push malformed, also where its bytes and the next name's would form a character", () => {
  const [first = 0, ...others] = Buffer.from("é");
  const names = [Buffer.from("1"), Buffer.from("2"), Buffer.from([first]), Buffer.from(others)];
  expect(decodePush(pushOf(names))).toBeUndefined();
});

/** A frame whose answer shows that the earlier ones were handled. */
function lastHeartbeat(vsn: string): string {
  const message = { topic: "phoenix", event: "heartbeat", payload: {}, ref: "last" };
  return JSON.stringify(vsn === "1.0.0" ? message : [null, message.ref, message.topic, message.event, message.payload]);
}

test.each(VERSIONS)("a client of version %s that sends anything is answered afterwards, and others too", async (vsn) => {
  using other = await openRawSocket(realtime.socketUrl());
  await fc.assert(
    fc.asyncProperty(fc.array(frame, { maxLength: 30 }), async (frames) => {
      const ws = new WebSocket(realtime.socketUrl({ vsn }));
      await once(ws, "open");
      const answered = new Promise<void>((resolve) => {
        ws.on("message", (data) => Buffer.isBuffer(data) && data.includes('"last"') && resolve());
        ws.on("close", () => resolve());
      });
      for (const one of frames) ws.send(one);
      ws.send(lastHeartbeat(vsn));
      await answered;
      const isOpen = ws.readyState === WebSocket.OPEN;
      ws.terminate();
      expect(isOpen).toBe(true);
      expect(await other.ask("phoenix", "heartbeat", {})).toEqual({ status: "ok", response: {} });
    }),
    { numRuns: 40 },
  );
  await expect.poll(() => realtime.realtime.sockets.open.size).toBe(1);
});

test.each(VERSIONS)("malformed frames of version %s are dropped, and logged once for the connection", async (vsn) => {
  using raw = await openRawSocket(realtime.socketUrl({ vsn }));
  const before = realtime.logged.length;
  for (const malformed of [
    "",
    "no JSON",
    "7",
    "null",
    "{}",
    "[]",
    '["1"]',
    Buffer.from([3, 200]),
    Buffer.from([9]),
    "[".repeat(501) + "]".repeat(501),
  ])
    raw.ws.send(malformed);
  expect(await raw.ask("phoenix", "heartbeat", {})).toEqual({ status: "ok", response: {} });
  expect(realtime.logged.slice(before)).toEqual(["malformed realtime frame"]);
});

test.each(VERSIONS)("a member of version %s whose object is nested to any depth does not affect others", async (vsn) => {
  using other = await openRawSocket(realtime.socketUrl());
  using member = await openRawSocket(realtime.socketUrl({ vsn }));
  await other.ask("realtime:deep", "phx_join", { config: { presence: { enabled: true } } });
  // With a number as a key, Node writes 5,660 levels as JSON; the frames for others have a few more than the object.
  for (let depth = 5100; depth < 5700; depth += 4) {
    await member.ask("realtime:deep", "phx_join", {});
    const call = `{"event":"track","payload":{"0":1,"deep":${"[".repeat(depth)}${"]".repeat(depth)}}}`;
    const text = `{"topic":"realtime:deep","event":"presence","payload":${call}}`;
    member.ws.send(vsn === "1.0.0" ? text : `[null,null,"realtime:deep","presence",${call}]`);
  }
  expect(await member.ask("phoenix", "heartbeat", {})).toEqual({ status: "ok", response: {} });
  expect(await member.ask("realtime:deep", "presence", { event: "track", payload: { n: 1 } })).toEqual({ status: "ok", response: {} });
  await expect.poll(() => other.received.at(-1)?.[3]).toBe("presence_diff");
});

/** The memory that the process uses after a collection of garbage. */
async function usedMb(): Promise<number> {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  // Objects of closed sockets are released in later turns of the event loop.
  for (let turn = 0; turn < 3; turn += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    collect();
  }
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1024 / 1024;
}

test("frames of any kind do not make the process grow", async () => {
  async function attack(seed: number): Promise<void> {
    const frames = fc.sample(frame, { seed, numRuns: 2000 });
    const vsn = VERSIONS[seed % 2] ?? "";
    const ws = new WebSocket(realtime.socketUrl({ vsn }));
    await once(ws, "open");
    for (const one of frames) ws.send(one);
    ws.send(lastHeartbeat(vsn));
    await new Promise<void>((resolve) => {
      ws.on("message", (data) => Buffer.isBuffer(data) && data.includes('"last"') && resolve());
      ws.on("close", () => resolve());
    });
    ws.terminate();
    await expect.poll(() => realtime.realtime.sockets.open.size).toBe(0);
  }
  for (let round = 0; round < 5; round += 1) await attack(round);
  const before = await usedMb();
  for (let round = 5; round < 25; round += 1) await attack(round);
  // 20,000 frames of each version, of 100 bytes at least: if those of one version left their bytes, it would be 2 MB.
  expect((await usedMb()) - before).toBeLessThan(1.5);
});

test("a channel keeps nothing of a long configuration", async () => {
  using socket = await openRawSocket(realtime.socketUrl({ apikey: SECRET_KEY }));
  const long = "x".repeat(400_000);
  const join = (name: string, config: object) => socket.ask(`realtime:${name}`, "phx_join", { config });
  await join("first", { private: true, broadcast: { replay: { since: 0 } } });
  const before = await usedMb();
  for (let index = 0; index < 30; index += 1) {
    const replay = { private: true, broadcast: { replay: { since: 0, long } } };
    expect(await join(`replay ${index}`, replay)).toMatchObject({ status: "ok" });
    const requests = [{ event: "*", schema: "public", table: "none", filter: `${long.slice(0, 9000)}${index}`, long }];
    expect(await join(`changes ${index}`, { postgres_changes: requests })).toMatchObject({ status: "ok" });
  }
  await expect.poll(() => socket.received.filter(([, , , name]) => name === "system").length).toBe(30);
  socket.received.length = 0;
  // 24 MB were sent.
  expect((await usedMb()) - before).toBeLessThan(3);
});
