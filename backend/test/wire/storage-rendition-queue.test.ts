import { afterAll, beforeAll, expect, test } from "vitest";
import { noise } from "./picture-fixture.ts";
import { describePairs } from "./storage-drivers.ts";
import { openStorageFixture, type StorageFixture } from "./storage-fixture.ts";

describePairs("pictures requested by many clients", (open, openBytes) => {
  let fixture: StorageFixture;
  afterAll(() => fixture.close());
  beforeAll(async () => {
    fixture = await openStorageFixture(open, { bytes: await openBytes() });
    const { error } = await fixture.admin.storage
      .from("public")
      .upload("small.png", await noise("png", 80, 60), { contentType: "image/png" });
    if (error) throw error;
  });

  const small = (width: number, signal?: AbortSignal, clientAddress?: string) =>
    fixture.raw(
      `/render/image/public/public/small.png?width=${width}`,
      signal ? { signal } : {},
      clientAddress === undefined ? undefined : { clientAddress },
    );

  test("at the same time are rendered once", async () => {
    const responses = await Promise.all(Array.from({ length: 50 }, () => small(33)));
    expect(new Set(responses.map(({ status, headers }) => `${status} ${headers.get("etag")}`)).size).toBe(1);
    expect(responses[0]?.status).toBe(200);
  });

  test("beyond the queue are refused; cached ones are sent at once, and the next one is rendered", async () => {
    await small(1000);
    let finished = 0;
    const flood = Array.from({ length: 400 }, (_, index) => small(1001 + index).finally(() => (finished += 1)));
    expect((await small(1000)).status).toBe(200);
    const before = finished;
    const answers = await Promise.all(flood);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(0);
    expect(before).toBeLessThan(400 - refused.length);
    expect(await refused[0]?.json()).toMatchObject({ statusCode: "503", code: "SlowDown" });
    expect(refused[0]?.headers.get("retry-after")).toBe("1");
    expect((await small(999)).status).toBe(200);
  });

  test("of one network take a share of the queue only, and other networks are served", async () => {
    // Fewer than the whole queue takes.
    const flood = Array.from({ length: 150 }, (_, index) => small(2001 + index, undefined, "192.0.2.1"));
    const other = small(1999, undefined, "192.0.2.2");
    const refused = (await Promise.all(flood)).filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThan(0);
    expect(await refused[0]?.json()).toMatchObject({ code: "SlowDown" });
    expect((await other).status).toBe(200);
  });

  test("of different networks are rendered in turn, so that one does not wait for all images of another", async () => {
    const finished: string[] = [];
    const renderFor = async (network: string, width: number): Promise<void> => {
      await (await small(width, undefined, network)).bytes();
      finished.push(network);
    };
    const flood = Array.from({ length: 15 }, (_, index) => renderFor("192.0.2.1", 701 + index));
    await Promise.all([...flood, renderFor("192.0.2.2", 720)]);
    expect(finished.indexOf("192.0.2.2")).toBeLessThan(6);
  });

  test("that have all disconnected are not rendered and do not delay the next one", async () => {
    const leaving = new AbortController();
    const renders = Array.from({ length: 50 }, (_, index) => small(500 + index, leaving.signal));
    leaving.abort();
    await Promise.allSettled(renders);
    expect((await small(500)).status).toBe(200);
  });
});
