import { expect, test } from "vitest";
import { createInbox } from "./inbox.ts";
import { type Outgoing, outgoing } from "./message.ts";

const message = (n: number, id?: string): Outgoing =>
  outgoing({ topic: "t", private: true, event: "e", payload: { n }, ...(id === undefined ? {} : { meta: { id } }) });

test("a message that is stored and arrives before or after the answer to the join is delivered once, in the order of the stored ones", () => {
  const shown: unknown[] = [];
  const inbox = createInbox((shownMessage) => shown.push(shownMessage.message.payload));
  inbox.deliver(message(2, "b"));
  inbox.deliver(message(3, "c"));
  inbox.deliver(message(4));
  expect(shown).toEqual([]);
  inbox.start([message(1, "a"), message(2, "b")]);
  inbox.deliver(message(1, "a"));
  inbox.deliver(message(5));
  expect(shown).toEqual([1, 2, 3, 4, 5].map((n) => ({ n })));
});
