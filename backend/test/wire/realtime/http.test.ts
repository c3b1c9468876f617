import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openTestPglite } from "../../database.ts";
import { DatabaseError } from "../../../src/db/database.ts";
import { openRealtime, PUBLISHABLE_KEY, SECRET_KEY, subscribed, VERSIONS, type RealtimeFixture } from "./fixture.ts";
import { upgradeAnswer } from "./raw-socket.ts";

let realtime: RealtimeFixture;
beforeAll(async () => {
  realtime = await openRealtime(openTestPglite, { max_payload_size_in_kb: 1 });
});
afterAll(() => realtime[Symbol.asyncDispose]());

function post(path: string, body: BodyInit, headers: Record<string, string> = {}): Promise<Response> {
  const all = { apikey: PUBLISHABLE_KEY, "Content-Type": "application/json", ...headers };
  return fetch(`${realtime.url}/realtime/v1/api/broadcast${path}`, { method: "POST", headers: all, body });
}

describe.each(VERSIONS)("a broadcast over HTTP to a subscriber of version %s", (vsn) => {
  test.each(["httpSend()", "send() before joining"])("arrives by %s", async (way) => {
    const topic = `a topic / with spaces ${crypto.randomUUID()}`;
    const received: unknown[] = [];
    const subscriber = realtime.client({ vsn }).channel(topic);
    await subscribed(subscriber.on("broadcast", { event: "*" }, ({ event, payload }) => received.push([event, payload])));
    const sender = realtime.client({ vsn }).channel(topic);
    if (way === "httpSend()") expect(await sender.httpSend("moved on", { n: 1 })).toEqual({ success: true });
    else expect(await sender.send({ type: "broadcast", event: "moved on", payload: { n: 1 } })).toBe("ok");
    await expect.poll(() => received).toEqual([["moved on", { n: 1 }]]);
  });
});

test("bytes sent over HTTP arrive unchanged", async () => {
  const received: Uint8Array[] = [];
  const channel = realtime.client().channel("bytes");
  await subscribed(channel.on("broadcast", { event: "*" }, ({ payload }) => received.push(new Uint8Array(payload))));
  await realtime
    .client()
    .channel("bytes")
    .httpSend("bytes", Uint8Array.of(0, 255, 1));
  await expect.poll(() => received).toEqual([Uint8Array.of(0, 255, 1)]);
});

const MESSAGE = { topic: "t", event: "e", payload: {} };
const DEEP = "[".repeat(502) + "]".repeat(502);

test.each([
  ["no key", "", JSON.stringify({ messages: [MESSAGE] }), { apikey: "" }, 401],
  ["a token of a stranger", "", JSON.stringify({ messages: [MESSAGE] }), { Authorization: "Bearer e30.e30.AAAA" }, 401],
  ["no messages", "", "{}", {}, 422],
  ["no JSON", "", "{", {}, 422],
  ["a message without a topic", "", JSON.stringify({ messages: [{ ...MESSAGE, topic: "" }] }), {}, 422],
  ["a payload over the limit", "", JSON.stringify({ messages: [{ ...MESSAGE, payload: { text: "x".repeat(1024) } }] }), {}, 422],
  ["a batch over the limit", "", JSON.stringify({ messages: Array.from({ length: 101 }, () => MESSAGE) }), {}, 429],
  ["another type of body", "/t/events/e", "text", { "Content-Type": "text/plain" }, 415],
  ["a payload over the limit for one message", "/t/events/e", JSON.stringify("x".repeat(1024)), {}, 422],
  ["a private topic without a policy", "/t/events/e?private=true", "{}", {}, 403],
  ["a zero byte in its private topic", "/t%00/events/e?private=true", "{}", {}, 422],
  ["a zero byte in a topic of a batch", "", JSON.stringify({ messages: [{ ...MESSAGE, topic: "t\0", private: true }] }), {}, 422],
  ["a payload that is nested too deeply", "/t/events/e", DEEP, {}, 422],
  ["such a payload in a batch", "", `{"messages":[{"topic":"t","event":"e","payload":{"a":${DEEP}}}]}`, {}, 422],
  ["another path", "/t", "{}", {}, 404],
])("a request with %s is refused", async (_name, path, body, headers, status) => {
  const response = await post(path, body, headers);
  expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([status, "*"]);
});

test("a message to a private topic arrives if the caller may send it, and is skipped in a batch if not", async () => {
  const received: string[] = [];
  const subscriber = realtime.client({ key: SECRET_KEY }).channel("t", { config: { private: true } });
  await subscribed(subscriber.on("broadcast", { event: "*" }, ({ event }) => received.push(event)));
  const batch = (event: string) => JSON.stringify({ messages: [{ ...MESSAGE, event, private: true }, MESSAGE] });
  expect((await post("", batch("forged"))).status).toBe(202);
  expect((await post("", batch("first"), { apikey: SECRET_KEY })).status).toBe(202);
  expect((await post("/t/events/second?private=true", "{}", { apikey: SECRET_KEY })).status).toBe(202);
  await expect.poll(() => received).toEqual(["first", "second"]);
});

test("an unreachable database gives 503 with Retry-After, over HTTP and for an upgrade", async () => {
  const apikey = await realtime.token({ session_id: crypto.randomUUID() });
  using _away = vi.spyOn(realtime.database, "transaction").mockRejectedValue(new DatabaseError("10.1.2.3 is away", { code: "08006" }));
  const response = await post("/t/events/e?private=true", "{}");
  expect([response.status, response.headers.get("retry-after")]).toEqual([503, "1"]);
  expect(await response.text()).not.toContain("10.1.2.3");
  const { statusCode, headers } = await upgradeAnswer(realtime.socketUrl({ apikey }));
  expect([statusCode, headers["retry-after"]]).toEqual([503, "1"]);
});

test("more messages than the limit per second are refused with 429", async () => {
  const batch = JSON.stringify({ messages: Array.from({ length: 60 }, () => MESSAGE) });
  // At once: on a busy machine one after the other could take longer than the second.
  const answers = await Promise.all(Array.from({ length: 8 }, () => post("", batch)));
  expect(answers.map(({ status }) => status)).toContain(429);
});
