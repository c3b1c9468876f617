import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { describeDatabases } from "../../database.ts";
import { openRealtime, SECRET_KEY, subscribed, VERSIONS, type RealtimeFixture } from "./fixture.ts";
import { openRawSocket } from "./raw-socket.ts";

const SECONDS = 1000;
const MESSAGES = 25;
const LENGTH = 1_000_000;

describeDatabases("a client that joins with a replay which is longer than what the operating system buffers", (open) => {
  let realtime: RealtimeFixture;
  beforeAll(async () => {
    realtime = await openRealtime(open);
    const message = `jsonb_build_object('text', repeat('x', ${LENGTH}))`;
    const send = `select realtime.send(${message}, 'told', 'long') from generate_series(1, ${MESSAGES})`;
    await realtime.database.transaction((tx) => tx.query(send));
  });
  afterAll(() => realtime[Symbol.asyncDispose]());

  describe.each(VERSIONS)("of version %s", (vsn) => {
    /** Joins and stops to read. */
    async function join() {
      let passed = 0;
      const now = Date.now;
      const clock = vi.spyOn(Date, "now").mockImplementation(() => now() + passed);
      onTestFinished(() => clock.mockRestore());
      const heard: unknown[] = [];
      const listener = realtime
        .client()
        .channel("beats")
        .on("broadcast", { event: "*" }, ({ event }) => heard.push(event));
      await subscribed(listener);
      const socket = await openRawSocket(realtime.socketUrl({ vsn, apikey: SECRET_KEY }));
      await socket.ask("realtime:beats", "phx_join", {});
      const config = { private: true, broadcast: { replay: { since: Date.now() - 3600 * SECONDS, limit: MESSAGES } } };
      await socket.ask("realtime:long", "phx_join", { config });
      const messages = { count: 0, readTo: Infinity };
      socket.ws.on("message", (data) => {
        if (!Buffer.isBuffer(data) || data.length < LENGTH) return;
        messages.count += 1;
        if (messages.count === messages.readTo) socket.ws.pause();
      });
      socket.ws.pause();
      return {
        socket,
        messages,
        /** Lets time pass, after which the service hears the client. */
        async pass(ms: number): Promise<void> {
          passed += ms;
          const event = crypto.randomUUID();
          socket.send(null, null, "realtime:beats", "broadcast", { type: "broadcast", event, payload: {} });
          await expect.poll(() => heard).toContain(event);
          realtime.sweep(0);
        },
      };
    }

    test("is disconnected when it has read nothing for a minute, though it sends", async () => {
      const { pass } = await join();
      await pass(50 * SECONDS);
      const { size } = realtime.realtime.sockets.open;
      await pass(11 * SECONDS);
      await expect.poll(() => realtime.realtime.sockets.open.size).toBe(size - 1);
    });

    test("stays when it has read some of it in the meantime, and receives the rest", async () => {
      const { socket, messages, pass } = await join();
      await pass(50 * SECONDS);
      messages.readTo = messages.count + 2;
      socket.ws.resume();
      await expect.poll(() => [socket.ws.readyState, messages.count]).toEqual([1, messages.readTo]);
      await pass(50 * SECONDS);
      socket.ws.resume();
      await expect.poll(() => [socket.ws.readyState, messages.count]).toEqual([1, MESSAGES]);
    });
  });
});
