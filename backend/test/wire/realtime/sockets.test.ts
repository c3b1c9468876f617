import { once } from "node:events";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import { openTestPglite } from "../../database.ts";
import { openRealtime, SECRET_KEY, subscribed } from "./fixture.ts";
import { openRawSocket } from "./raw-socket.ts";

test("a client that does not read is disconnected, and the others receive everything in the meantime", async () => {
  await using realtime = await openRealtime(openTestPglite, { max_events_per_second: 100_000 });
  using lazy = await openRawSocket(realtime.socketUrl());
  await lazy.ask("realtime:flood", "phx_join", {});
  lazy.ws.pause();
  let received = 0;
  await subscribed(
    realtime
      .client()
      .channel("flood")
      .on("broadcast", { event: "*" }, () => (received += 1)),
  );
  const sender = await subscribed(realtime.client().channel("flood", { config: { broadcast: { ack: true } } }));
  const payload = { text: "x".repeat(200_000) };
  let sent = 0;
  // The operating system buffers a few megabytes itself.
  while (realtime.realtime.sockets.open.size === 3 && sent < 200) {
    expect(await sender.send({ type: "broadcast", event: "e", payload })).toBe("ok");
    sent += 1;
  }
  expect(realtime.realtime.sockets.open.size).toBe(2);
  await expect.poll(() => received).toBe(sent);
});

test("a client that sends long messages and receives them itself stays connected, however fast it sends", async () => {
  await using realtime = await openRealtime(openTestPglite, { max_payload_size_in_kb: 3000 });
  using raw = await openRawSocket(realtime.socketUrl({ vsn: "1.0.0", apikey: SECRET_KEY }));
  await raw.ask("realtime:echo", "phx_join", { config: { broadcast: { self: true } } });
  const text = "x".repeat(2_500_000);
  for (let index = 0; index < 12; index += 1)
    raw.send(null, null, "realtime:echo", "broadcast", { type: "broadcast", event: String(index), payload: { text } });
  const echoes = () => raw.received.filter(([, , , event]) => event === "broadcast").length;
  await expect.poll(() => [raw.ws.readyState, echoes()]).toEqual([1, 12]);
});

test("a server that stops closes its sockets with 1012, and its clients connect again", async () => {
  await using realtime = await openRealtime(openTestPglite);
  using raw = await openRawSocket(realtime.socketUrl());
  const statuses: string[] = [];
  realtime
    .client()
    .channel("a")
    .subscribe((status) => statuses.push(status));
  await expect.poll(() => statuses).toEqual(["SUBSCRIBED"]);
  const closed = once(raw.ws, "close");
  realtime.realtime.sockets.drain();
  expect((await closed)[0]).toBe(1012);
  await expect.poll(() => statuses.at(-1)).toBe("CHANNEL_ERROR");
  await expect.poll(() => realtime.realtime.sockets.open.size).toBe(0);
});

test("a longer frame than the limit closes the socket with 1009", async () => {
  await using realtime = await openRealtime(openTestPglite, { max_payload_size_in_kb: 1 });
  using raw = await openRawSocket(realtime.socketUrl());
  const closed = once(raw.ws, "close");
  raw.ws.send("x".repeat(100_000));
  expect((await closed)[0]).toBe(1009);
});

test("a connection that breaks during the upgrade does no harm", async () => {
  await using realtime = await openRealtime(openTestPglite);
  const { port } = new URL(realtime.url);
  for (let index = 0; index < 20; index += 1) {
    const socket = new Socket().connect(Number(port), "127.0.0.1");
    await once(socket, "connect");
    const { pathname, search } = new URL(realtime.socketUrl());
    socket.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
    socket.resetAndDestroy();
  }
  using raw = await openRawSocket(realtime.socketUrl());
  expect((await raw.ask("phoenix", "heartbeat", {})).status).toBe("ok");
});

test("a client that closes receives the answers to what it sent before", async () => {
  await using realtime = await openRealtime(openTestPglite);
  using raw = await openRawSocket(realtime.socketUrl());
  await raw.ask("realtime:last", "phx_join", { config: { broadcast: { ack: true } } });
  const closed = once(raw.ws, "close");
  for (let index = 0; index < 60; index += 1)
    raw.send(null, `last${index}`, "realtime:last", "broadcast", { type: "broadcast", event: "e", payload: {} });
  raw.ws.close(1000);
  await closed;
  expect(raw.received.filter(([, ref]) => ref?.startsWith("last"))).toHaveLength(60);
});
