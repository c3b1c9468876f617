import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { createInbox, type Replay } from "./inbox.ts";
import { type Outgoing, outgoing } from "./message.ts";

/** A message; of SQL if it has a transaction. */
const message = (n: number, transaction?: number, text = ""): Outgoing =>
  outgoing({ topic: "t", private: true, event: "e", payload: { n, text }, ...(transaction === undefined ? {} : { transaction }) });

/** A replay of a moment when the transactions up to `last` were committed. */
const replay = (last: number, ...numbers: number[]): Replay => ({
  messages: numbers.map((n) => message(n)),
  covers: (transaction) => transaction <= last,
});

/** `rooms` are what messages wait for, one each. */
function openInbox(rooms: Promise<void>[] = []) {
  const shown: unknown[] = [];
  const inbox = createInbox({
    show: ({ message: { payload } }) => shown.push(payload),
    waitForRoom: () => rooms.shift(),
    onLoss: () => shown.push("lost"),
  });
  return { inbox, shown };
}

const numbered = (...numbers: number[]) => numbers.map((n) => ({ n, text: "" }));

test("a message that the replay covers and that arrives before or after the answer to the join is delivered once", () => {
  const { inbox, shown } = openInbox();
  inbox.deliver(message(2, 2));
  inbox.deliver(message(3, 3));
  inbox.deliver(message(4));
  expect(shown).toEqual([]);
  void inbox.start(replay(2, 1, 2));
  inbox.deliver(message(1, 1));
  inbox.deliver(message(5));
  inbox.deliver(message(6, 4));
  expect(shown).toEqual(numbered(1, 2, 3, 4, 5, 6));
});

test("messages that the limit of the replay left out are not delivered with newer ones", () => {
  const { inbox, shown } = openInbox();
  inbox.deliver(message(1, 1));
  void inbox.start(replay(3, 3));
  inbox.deliver(message(2, 2));
  inbox.deliver(message(3, 3));
  inbox.deliver(message(4, 4));
  expect(shown).toEqual(numbered(3, 4));
});

test("a message that could not wait for the replay is lost unless the replay covers it", () => {
  const long = "x".repeat(1_000_000);
  for (const [covered, expected] of [
    [1, ["lost"]],
    [2, numbered(1, 2)],
  ] as const) {
    const { inbox, shown } = openInbox();
    inbox.deliver(message(1, 1));
    inbox.deliver(message(2, 2, long));
    expect(shown).toEqual([]);
    void inbox.start(replay(covered, 1, 2));
    expect(shown).toEqual(expected);
  }
});

test("messages that arrive while the client reads stored ones wait for their turn", async () => {
  const room = Promise.withResolvers<void>();
  const { inbox, shown } = openInbox([room.promise, Promise.resolve()]);
  const started = inbox.start(replay(2, 1, 2));
  inbox.deliver(message(2, 2));
  inbox.deliver(message(3));
  expect(shown).toEqual([]);
  room.resolve();
  await started;
  inbox.deliver(message(4));
  expect(shown).toEqual(numbered(1, 2, 3, 4));
});

test("a channel that ends while the client reads receives no more of the stored messages, which are released", async () => {
  const room = Promise.withResolvers<void>();
  const { inbox, shown } = openInbox([room.promise]);
  const released: WeakRef<Outgoing>[] = [];
  function start(): Promise<void> | void {
    const stored = replay(0, 1, 2, 3);
    released.push(...stored.messages.map((one) => new WeakRef(one)));
    return inbox.start(stored);
  }
  const started = start();
  inbox.end();
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  await expect
    .poll(() => {
      collect();
      return released.filter((one) => one.deref()).length;
    })
    .toBe(0);
  room.resolve();
  await started;
  expect(shown).toEqual([]);
});
