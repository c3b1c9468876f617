import { once } from "node:events";
import { expect, onTestFinished, test, vi } from "vitest";
import { openTestPglite } from "../../database.ts";
import { openRealtime, VERSIONS } from "./fixture.ts";
import { openRawSocket } from "./raw-socket.ts";

const MINUTE_MS = 60_000;

test.each(VERSIONS)(
  "a client of version %s without a channel is disconnected after ten minutes, also after its last channel ended",
  async (vsn) => {
    await using realtime = await openRealtime(openTestPglite);
    using never = await openRawSocket(realtime.socketUrl({ vsn }));
    using left = await openRawSocket(realtime.socketUrl({ vsn }));
    expect(await left.ask("realtime:a", "phx_join", { config: {} })).toMatchObject({ status: "ok" });
    const closed = Promise.all([never, left].map(({ ws }) => once(ws, "close")));
    // The heartbeat that a client sends meanwhile.
    realtime.sweep(MINUTE_MS - 5000);
    await left.ask("realtime:a", "phx_leave", {});
    expect(await never.ask("phoenix", "heartbeat", {})).toMatchObject({ status: "ok" });
    realtime.sweep(10 * MINUTE_MS + 1000);
    expect((await closed).map(([code, reason]) => [code, String(reason)])).toEqual([
      [1001, "No channels joined"],
      [1001, "No channels joined"],
    ]);
  },
);

test("a client with a channel is disconnected when it has been silent for a minute", async () => {
  await using realtime = await openRealtime(openTestPglite);
  using silent = await openRawSocket(realtime.socketUrl());
  expect(await silent.ask("realtime:a", "phx_join", { config: {} })).toMatchObject({ status: "ok" });
  const closed = once(silent.ws, "close");
  realtime.sweep(MINUTE_MS - 5000);
  expect(await silent.ask("phoenix", "heartbeat", {})).toMatchObject({ status: "ok" });
  realtime.sweep(MINUTE_MS + 1000);
  expect((await closed)[0]).toBe(1006);
});

test("a client stays connected when the clock is set forward", async () => {
  await using realtime = await openRealtime(openTestPglite);
  using client = await openRawSocket(realtime.socketUrl());
  expect(await client.ask("realtime:a", "phx_join", { config: {} })).toMatchObject({ status: "ok" });
  const date = Date.now;
  vi.spyOn(Date, "now").mockImplementation(() => date() + 60 * MINUTE_MS);
  onTestFinished(() => void vi.restoreAllMocks());
  realtime.sweep(0);
  expect(await client.ask("phoenix", "heartbeat", {})).toMatchObject({ status: "ok" });
});
