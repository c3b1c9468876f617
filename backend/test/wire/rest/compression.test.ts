import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { describeDatabases } from "../../database.ts";
import { openRestFixture } from "./fixture.ts";

const DECODED = { br: brotliDecompressSync, gzip: gunzipSync };
const ALL = "/rooms";

describeDatabases("compression of REST responses", (open) => {
  test("a long response is compressed as the client accepts it, a short one is not", async () => {
    const rest = await openRestFixture(open);
    await rest.database.transaction((tx) => tx.script("insert into rooms select 'room ' || n, 'North', n from generate_series(1, 100) n"));
    const read = (path: string, accept?: string): Promise<Response> =>
      rest.raw(path, accept === undefined ? {} : { headers: { "Accept-Encoding": accept } });
    const plain = await read(ALL);
    expect([plain.headers.get("content-encoding"), plain.headers.get("vary")]).toEqual([null, "Accept-Encoding"]);
    const text = await plain.text();
    expect(text.length).toBeGreaterThan(1024);
    for (const [accept, encoding] of [
      ["gzip, deflate, br, zstd", "br"],
      ["gzip", "gzip"],
      ["br;q=0, gzip", "gzip"],
    ] as const) {
      const response = await read(ALL, accept);
      expect(response.headers.get("content-encoding")).toBe(encoding);
      const bytes = new Uint8Array(await response.arrayBuffer());
      expect(bytes.byteLength).toBeLessThan(text.length / 2);
      expect(DECODED[encoding](bytes).toString()).toBe(text);
    }
    expect((await read(ALL, "identity")).headers.get("content-encoding")).toBeNull();
    expect((await read("/rooms?id=eq.r1", "br")).headers.get("content-encoding")).toBeNull();
    await rest.database.close();
  });
});
