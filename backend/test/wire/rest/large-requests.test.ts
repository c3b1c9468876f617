import { beforeAll, describe, expect, test } from "vitest";
import { describeDatabases } from "../../database.ts";
import { openRestFixture, PUBLISHABLE_KEY, SECRET_KEY, USER_ID, type RestFixture } from "./fixture.ts";

describeDatabases("a large request", (open) => {
  let rest: RestFixture;
  beforeAll(async () => {
    rest = await openRestFixture(open);
  });

  describe("a column that is selected repeatedly", () => {
    const cases: [by: string, path: string, item: (index: number) => string][] = [
      ["its name", "/courses?select=()", () => "title"],
      ["aliases and casts", "/courses?select=()", (index) => `t${index}:title::${index % 2 === 0 ? "text" : "varchar"}`],
      ["stars", "/courses?select=()", () => "*"],
      ["one value of its JSON", "/courses?select=()", (index) => `d${index}:details${index % 2 === 0 ? "->" : "->>"}room`],
      ["its name in an embed", "/courses?select=id,reviews(())", () => "author"],
      ["its name in the result of a function", "/rpc/courses_above?minimum=1&select=()", () => "title"],
    ];
    test.each(cases)("by %s is refused after four times, except with the secret key", async (_, path, item) => {
      const read = async (count: number, key: string): Promise<unknown> => {
        const select = Array.from({ length: count }, (_value, index) => item(index)).join();
        const response = await rest.raw(path.replace("()", select), { headers: { apikey: key } });
        return response.ok ? response.status : [response.status, (await response.json()).code];
      };
      expect(await read(4, PUBLISHABLE_KEY)).toBe(200);
      expect(await read(5, PUBLISHABLE_KEY)).toEqual([400, "column_repeated"]);
      expect(await read(5, SECRET_KEY)).toBe(200);
    });

    test("is refused before the request is compared with the schema", async () => {
      const code = async (key: string): Promise<unknown> =>
        (await (await rest.raw("/nosuch?select=a,a,a,a,a", { headers: { apikey: key } })).json()).code;
      expect([await code(PUBLISHABLE_KEY), await code(SECRET_KEY)]).toEqual(["column_repeated", "PGRST205"]);
    });
  });

  describe("a large body", () => {
    const KIB = 1024;
    const post = (path: string, body: string, type: string, key = PUBLISHABLE_KEY, stated = true): Request =>
      new Request(`http://rest.test/rest/v1${path}`, {
        method: "POST",
        body,
        headers: { apikey: key, "Content-Type": type, ...(stated ? { "Content-Length": String(body.length) } : {}) },
      });
    const keys = (count: number): string[] => Array.from({ length: count }, (_, index) => `k${index}`);
    const JSON_TYPE = "application/json";
    const objectOf = (count: number): string =>
      `{${keys(count)
        .map((key) => `"${key}":1`)
        .join()}}`;

    test.each([
      ["CSV of many columns", "/rooms", `${keys(1000).join()}\n${`${",".repeat(999)}\n`.repeat(1000)}`, "text/csv"],
      [
        "a form of many fields",
        "/rooms",
        keys(90_000)
          .map((key) => `${key}=`)
          .join("&"),
        "application/x-www-form-urlencoded",
      ],
      ["an object of many keys", "/rooms", objectOf(90_000), JSON_TYPE],
      ["arguments of many names", "/rpc/nosuch", objectOf(90_000), JSON_TYPE],
      ["an array of empty objects", "/rooms", `[${"{},".repeat(90_000)}{}]`, JSON_TYPE],
    ])("of an anonymous caller is refused before it is read: %s", async (_, path, body, type) => {
      const request = post(path, body, type);
      const response = await rest.fetch(request);
      expect({ status: response.status, read: request.bodyUsed }).toEqual({ status: 413, read: false });
      expect((await rest.fetch(post(path, body, type, PUBLISHABLE_KEY, false))).status).toBe(413);
    });

    test("may be as long as the role of the caller allows", async () => {
      const token = await rest.jwt.sign({ sub: USER_ID, role: "authenticated", exp: Math.floor(Date.now() / 1000) + 60 });
      const status = async (key: string, bytes: number): Promise<number> =>
        (await rest.fetch(post("/rooms", JSON.stringify({ nothing: "x".repeat(bytes - 14) }), JSON_TYPE, key))).status;
      expect(await status(PUBLISHABLE_KEY, 64 * KIB)).toBe(400);
      expect(await status(PUBLISHABLE_KEY, 64 * KIB + 1)).toBe(413);
      expect(await status(token, KIB * KIB)).toBe(400);
      expect(await status(token, KIB * KIB + 1)).toBe(413);
      expect(await status(SECRET_KEY, 10 * KIB * KIB)).toBe(400);
      expect(await status(SECRET_KEY, 10 * KIB * KIB + 1)).toBe(413);
    });

    test.each([
      ["CSV of 1,001 columns", `${keys(1001).join()}\n`, "text/csv"],
      ["CSV of more than 100,000 cells", `a,b\n${"1,2\n".repeat(50_000)}`, "text/csv"],
      ["an object of 1,001 keys", objectOf(1001), JSON_TYPE],
      ["an array of such objects", `[${objectOf(1001)}]`, JSON_TYPE],
      ["a form of 1,001 fields", keys(1001).join("&"), "application/x-www-form-urlencoded"],
    ])("is refused for its number of parts even with the secret key: %s", async (_, body, type) => {
      const response = await rest.fetch(post("/rooms", body, type, SECRET_KEY));
      expect({ status: response.status, body: await response.json() }).toMatchObject({
        status: 413,
        body: { code: "request_entity_too_large" },
      });
    });

    test("is not repeated in an error", async () => {
      const response = await rest.fetch(post("/rpc/nosuch", objectOf(900), JSON_TYPE));
      const { message, details } = await response.json();
      expect(response.status).toBe(404);
      expect(message).toContain("k0, k1");
      expect(message).toContain("k115, …");
      expect(`${message}${details}`).not.toContain("k116");
    });
  });

  describe("the bodies of concurrent requests", () => {
    /** Sends a chunk of a body and leaves the body open; the promise resolves when the API answers. */
    function holdBody(headers: Record<string, string>, bytes: number): { answer: Promise<Response>; end: () => void } {
      let end = (): void => undefined;
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(new Uint8Array(bytes).fill(32));
          end = () => controller.close();
        },
        cancel() {
          end = () => undefined;
        },
      });
      const init = { method: "POST", headers: { ...headers, "Content-Type": "application/json" }, body, duplex: "half" as const };
      return { answer: rest.raw("/courses", init), end: () => end() };
    }

    test("take a limited amount of memory together, of which anonymous callers have a share", async () => {
      const token = await rest.jwt.sign({ sub: USER_ID, role: "authenticated", exp: Math.floor(Date.now() / 1000) + 60 });
      const user = { Authorization: `Bearer ${token}` };
      const held: ReturnType<typeof holdBody>[] = [];
      const refusals: Response[] = [];
      const hold = (count: number, headers: Record<string, string>, bytes: number): void => {
        for (let index = 0; index < count; index += 1) {
          const holding = holdBody(headers, bytes);
          held.push(holding);
          void holding.answer.then((answer) => answer.status === 503 && refusals.push(answer));
        }
      };
      hold(128 + 3, {}, 64 * 1024);
      await expect.poll(() => refusals.length).toBe(3);
      hold(24 + 2, user, 1024 * 1024);
      await expect.poll(() => refusals.length).toBe(5);
      expect(refusals[0]?.headers.get("retry-after")).toBe("1");
      expect(await refusals[0]?.json()).toMatchObject({ code: "too_many_bodies" });
      expect((await rest.raw("/courses?limit=1")).status).toBe(200);

      for (const { end } of held) end();
      await Promise.all(held.map(({ answer }) => answer));
      const next = holdBody(user, 1024 * 1024);
      next.end();
      expect((await next.answer).status).toBe(400);
    });
  });
});
