import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import type { ClientSocket } from "../../../src/realtime/socket.ts";
import { describeDatabases } from "../../database.ts";
import { openRealtime, SECRET_KEY, subscribed, VERSIONS, type RealtimeFixture } from "./fixture.ts";
import { openRawSocket } from "./raw-socket.ts";

const SECONDS = 1000;
const TOPICS = ["long", "longer"];
const MESSAGES = 24;
const LENGTH = 1_000_000;
/** More messages than the operating system buffers for a client that does not read. */
const SOME = 6;

describeDatabases("a client that joins with a replay which is longer than what the operating system buffers", (open) => {
  let realtime: RealtimeFixture;
  /** Never set back, like the clock: rate limits of the service would refuse the next client. */
  let passed = 0;
  beforeAll(async () => {
    const now = performance.now.bind(performance);
    vi.spyOn(performance, "now").mockImplementation(() => now() + passed);
    realtime = await openRealtime(open);
    const message = `jsonb_build_object('text', repeat('x', ${LENGTH}))`;
    const send = `select realtime.send(${message}, 'note', $1) from generate_series(1, ${MESSAGES / TOPICS.length})`;
    const announced = Promise.withResolvers<void>();
    await subscribed(
      realtime
        .client()
        .channel("last")
        .on("broadcast", { event: "*" }, () => announced.resolve()),
    );
    await realtime.database.transaction(async (tx) => {
      for (const topic of TOPICS) await tx.query(send, [topic]);
      await tx.query("select realtime.send('{}', 'note', 'last', false)");
    });
    // A channel that joins before would have to hold back more than it may.
    await announced.promise;
  });
  afterAll(async () => {
    await realtime[Symbol.asyncDispose]();
    vi.restoreAllMocks();
  });

  describe.each(VERSIONS)("of version %s", (vsn) => {
    /** Joins two channels and stops to read. */
    async function join() {
      const received: unknown[] = [];
      const listener = realtime
        .client()
        .channel("beats")
        .on("broadcast", { event: "*" }, ({ event }) => received.push(event));
      await subscribed(listener);
      const socket = await openRawSocket(realtime.socketUrl({ vsn, apikey: SECRET_KEY }));
      onTestFinished(() => socket.ws.terminate());
      await socket.ask("realtime:beats", "phx_join", {});
      const config = { private: true, broadcast: { replay: { since: Date.now() - 3600 * SECONDS, limit: MESSAGES } } };
      const messages = { count: 0, readTo: Infinity };
      socket.ws.on("message", (data) => {
        if (!Buffer.isBuffer(data) || data.length < LENGTH) return;
        messages.count += 1;
        if (messages.count === messages.readTo) socket.ws.pause();
      });
      for (const topic of TOPICS) socket.send("1", "1", `realtime:${topic}`, "phx_join", { config });
      socket.ws.pause();
      const hasJoined = ({ channels }: ClientSocket): boolean => TOPICS.every((topic) => channels.has(`realtime:${topic}`));
      /** False again when the service has disconnected the client. */
      const isConnected = (): boolean => realtime.realtime.sockets.open.values().some(hasJoined);
      await expect.poll(isConnected).toBe(true);
      return {
        isConnected,
        socket,
        messages,
        /** Lets time pass, after which the service hears the client. */
        async pass(ms: number): Promise<void> {
          passed += ms;
          const event = crypto.randomUUID();
          socket.send(null, null, "realtime:beats", "broadcast", { type: "broadcast", event, payload: {} });
          await expect.poll(() => received).toContain(event);
          realtime.sweep(0);
        },
      };
    }

    test("is disconnected when it has read nothing for a minute, though it sends", async () => {
      const { isConnected, pass } = await join();
      await pass(50 * SECONDS);
      expect(isConnected()).toBe(true);
      await pass(11 * SECONDS);
      await expect.poll(isConnected).toBe(false);
    });

    test("stays when it has read some of it in the meantime, and receives the rest", async () => {
      const { socket, messages, pass } = await join();
      await pass(50 * SECONDS);
      messages.readTo = messages.count + SOME;
      socket.ws.resume();
      await expect.poll(() => [socket.ws.readyState, messages.count]).toEqual([1, messages.readTo]);
      await pass(50 * SECONDS);
      socket.ws.resume();
      await expect.poll(() => [socket.ws.readyState, messages.count]).toEqual([1, MESSAGES]);
    });
  });
});
