import { expect, test } from "vitest";
import { createInbox } from "./inbox.ts";
import { type Outgoing, outgoing } from "./message.ts";

const message = (n: number, id?: string): Outgoing =>
  outgoing({ topic: "t", private: true, event: "e", payload: { n }, ...(id === undefined ? {} : { meta: { id } }) });

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

test("a message that is stored and arrives before or after the answer to the join is delivered once, in the order of the stored ones", () => {
  const { inbox, shown } = openInbox();
  inbox.deliver(message(2, "b"));
  inbox.deliver(message(3, "c"));
  inbox.deliver(message(4));
  expect(shown).toEqual([]);
  void inbox.start([message(1, "a"), message(2, "b")]);
  inbox.deliver(message(1, "a"));
  inbox.deliver(message(5));
  expect(shown).toEqual([1, 2, 3, 4, 5].map((n) => ({ n })));
});

test("messages that arrive before a stored one are delivered before it", () => {
  const { inbox, shown } = openInbox();
  for (const [n, id] of [
    [2, "b"],
    [3, "c"],
    [4, "d"],
    [6, "f"],
  ] as const)
    inbox.deliver(message(n, id));
  void inbox.start([message(1, "a"), message(3, "c"), message(4, "d"), message(5, "e")]);
  expect(shown).toEqual([1, 2, 3, 4, 5, 6].map((n) => ({ n })));
});

test("messages that arrive while the client reads stored ones wait for their turn", async () => {
  const room = Promise.withResolvers<void>();
  const { inbox, shown } = openInbox([room.promise, Promise.resolve()]);
  const started = inbox.start([message(1, "a"), message(2, "b")]);
  inbox.deliver(message(2, "b"));
  inbox.deliver(message(3));
  expect(shown).toEqual([]);
  room.resolve();
  await started;
  inbox.deliver(message(4));
  expect(shown).toEqual([1, 2, 3, 4].map((n) => ({ n })));
});

test("a channel that ends while the client reads receives no more of the stored messages", async () => {
  const room = Promise.withResolvers<void>();
  const { inbox, shown } = openInbox([room.promise]);
  const started = inbox.start([message(1, "a")]);
  inbox.end();
  room.resolve();
  await started;
  expect(shown).toEqual([]);
});
