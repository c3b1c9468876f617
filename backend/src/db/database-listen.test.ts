import { expect, test, vi } from "vitest";
import { describeDatabases } from "../../test/database.ts";
import type { Database } from "./database.ts";

function notify(database: Database, channel: string, payload: string): Promise<unknown> {
  return database.transaction((tx) => tx.query("select pg_notify($1, $2)", [channel, payload]));
}

describeDatabases("an announcement", (open) => {
  test("reaches its listeners before its transaction resolves, every time", async () => {
    const database = await open();
    const received = new Set<string>();
    await database.listen("news", (payload) => received.add(payload));
    const late: string[] = [];
    const announce = async (worker: number): Promise<void> => {
      for (let round = 0; round < 50; round += 1) {
        const payload = `${worker}/${round}`;
        await notify(database, "news", payload);
        if (!received.has(payload)) late.push(payload);
      }
    };
    await Promise.all([1, 2, 3, 4, 5, 6].map(announce));
    expect(late).toEqual([]);
    expect(received.size).toBe(300);
  });

  test("of a transaction that is rolled back is never delivered", async () => {
    const database = await open();
    const handler = vi.fn<(payload: string) => void>();
    await database.listen("news", handler);
    const failing = database.transaction(async (tx) => {
      await tx.query("select pg_notify('news', 'no')");
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    await notify(database, "news", "yes");
    expect(handler.mock.calls).toEqual([["yes"]]);
  });

  test("goes to the listeners of its channel only, until they stop", async () => {
    const database = await open();
    const [first, second, other] = [
      vi.fn<(payload: string) => void>(),
      vi.fn<(payload: string) => void>(),
      vi.fn<(payload: string) => void>(),
    ];
    const channel = 'Odd "channel"';
    const stop = await database.listen(channel, first);
    await database.listen(channel, second);
    await database.listen("other", other);
    await notify(database, channel, "1");
    await stop();
    await notify(database, channel, "2");
    expect(first.mock.calls).toEqual([["1"]]);
    expect(second.mock.calls).toEqual([["1"], ["2"]]);
    expect(other).not.toHaveBeenCalled();
  });

  test("reaches the other listeners when one throws", async () => {
    const database = await open();
    const handler = vi.fn<(payload: string) => void>();
    await database.listen("news", () => {
      throw new Error("a listener's own fault");
    });
    await database.listen("news", handler);
    await notify(database, "news", "1");
    expect(handler).toHaveBeenCalledWith("1");
  });
});
