import { beforeAll, expect, test } from "vitest";
import { describeDatabases } from "../../database.ts";
import { openRestFixture, PUBLISHABLE_KEY, SECRET_KEY, USER_ID, type RestFixture } from "./fixture.ts";

const BACK_REFERENCE = encodeURIComponent("(.+)(.+)(.+)(.+).*\\1\\2\\3\\4\\4$");

describeDatabases("a statement", (open, kind) => {
  let rest: RestFixture;
  beforeAll(async () => {
    rest = await openRestFixture(open);
    await rest.database.transaction((tx) =>
      tx.script("create function nap(seconds float8) returns void language sql as $$ select pg_sleep(seconds) $$; notify pgrst"),
    );
  });

  test.skipIf(kind === "pglite")("is cancelled when its request is aborted", async () => {
    const response = await rest.raw("/rpc/nap?seconds=300", { signal: AbortSignal.timeout(100) });
    expect({ status: response.status, body: await response.json() }).toMatchObject({ status: 499, body: { code: "57014" } });
  });

  test.skipIf(kind === "pglite")("of an anonymous caller is cancelled after three seconds", async () => {
    expect(await rest.anon.rpc("nap", { seconds: 300 })).toMatchObject({ status: 500, error: { code: "57014" } });
  });

  test.each([
    `/courses?title=match.${BACK_REFERENCE}`,
    `/courses?title=not.imatch.${BACK_REFERENCE}`,
    `/courses?or=(id.eq.1,and(title.match.a,title.match."(.)\\\\1"))`,
    `/courses?select=id,reviews(id)&reviews.author=match(any).{a,(.)\\\\1}`,
    `/rpc/courses_above?minimum=1&title=match.${BACK_REFERENCE}`,
  ])("with a back-reference in a pattern is refused: %s", async (path) => {
    const token = await rest.jwt.sign({ sub: USER_ID, role: "authenticated", exp: Math.floor(Date.now() / 1000) + 60 });
    for (const headers of [{}, { Authorization: `Bearer ${token}` }]) {
      const response = await rest.raw(path, { headers });
      expect({ status: response.status, body: await response.json() }).toMatchObject({
        status: 400,
        body: { code: "back_reference_not_allowed" },
      });
    }
  });

  test.each([
    ["bounds in bounds", "((a{1,200}){1,200}){1,9}"],
    ["an optional group with a bound", "(a?){255}a{255}"],
    ["spaces in bounds", "(?x)((a{ 200 }){ 200 })"],
    ["the syntax of basic regular expressions", "(?b)\\(\\(a\\{200\\}\\)\\{200\\}\\)"],
    ["many alternatives", `(${"abc|".repeat(400)}d)`],
  ])("with a large pattern is refused: %s", async (_, pattern) => {
    const token = await rest.jwt.sign({ sub: USER_ID, role: "authenticated", exp: Math.floor(Date.now() / 1000) + 60 });
    for (const headers of [{}, { Authorization: `Bearer ${token}` }]) {
      const response = await rest.raw(`/courses?title=not.match.${encodeURIComponent(pattern)}`, { headers });
      expect({ status: response.status, body: await response.json() }).toMatchObject({ status: 400, body: { code: "pattern_too_large" } });
    }
  });

  test.each(["^[0-9]{4}-[0-9]{2}-[0-9]{2}$", "^.{1,40}$", "(first|second) (aid|supervisor){1,3}"])(
    "with an ordinary pattern with bounds is answered: %s",
    async (pattern) => {
      expect((await rest.raw(`/courses?title=imatch.${encodeURIComponent(pattern)}`)).status).toBe(200);
    },
  );

  test("of the secret key with a pattern that is too complex is refused by Postgres itself, and the next one is answered", async () => {
    const response = await rest.raw(`/courses?title=match.${encodeURIComponent("(a{0,255}){0,255}b")}`, {
      headers: { apikey: SECRET_KEY },
    });
    expect({ status: response.status, body: await response.json() }).toMatchObject({ status: 400, body: { code: "2201B" } });
    expect((await rest.anon.from("rooms").select("id").limit(1)).status).toBe(200);
  });

  test("with a back-reference in a pattern is answered for the secret key, and with any other pattern for everybody", async () => {
    const titles = async (key: string, pattern: string): Promise<unknown> =>
      (await rest.raw(`/courses?select=title&order=id&title=match.${encodeURIComponent(pattern)}`, { headers: { apikey: key } })).json();
    expect(await titles(SECRET_KEY, "(o)\\1")).toEqual([{ title: "Door Supervisor" }]);
    expect(await titles(PUBLISHABLE_KEY, "^F\\w+ S")).toEqual([{ title: "Fire Safety" }]);
  });
});

describeDatabases("the timeout of a statement", (open) => {
  test("is half a second for anonymous callers from the network, and longer for the site's own requests and for staff", async () => {
    const timeouts: unknown[] = [];
    const rest = await openRestFixture(async (options) => {
      const database = await open(options);
      return {
        ...database,
        transaction(work, limits = {}) {
          timeouts.push(limits.statementTimeoutMs);
          return database.transaction(work, limits);
        },
      };
    });
    const token = await rest.jwt.sign({ sub: USER_ID, role: "authenticated", exp: Math.floor(Date.now() / 1000) + 60 });
    const timeoutOf = async (headers: Record<string, string>, inProcess: boolean): Promise<unknown> => {
      timeouts.length = 0;
      const response = await rest.raw("/rooms?select=id&limit=1", { headers }, { clientAddress: "192.0.2.7", inProcess });
      expect(response.status).toBe(200);
      return timeouts.at(-1);
    };
    expect([await timeoutOf({}, false), await timeoutOf({}, true)]).toEqual([500, 3000]);
    expect(await timeoutOf({ Authorization: `Bearer ${token}` }, false)).toBe(8000);
  });
});

describeDatabases("anonymous requests from the network", (open, kind) => {
  let rest: RestFixture;

  beforeAll(async () => {
    rest = await openRestFixture(open);
    await rest.database.transaction((tx) =>
      tx.script(`create function spin() returns bigint language sql stable as $$
        select count(*) from generate_series(1, 1000000) a, generate_series(1, 1000000) b $$`),
    );
  });

  const from = async (clientAddress: string, path: string) => {
    const response = await rest.raw(path, {}, { clientAddress, inProcess: false });
    return { status: response.status, retry: response.headers.get("retry-after"), body: await response.json() };
  };

  test("wait after a statement that took too long, and no other caller waits", async () => {
    let restarts = 0;
    const countRestart = (): void => {
      restarts += 1;
    };
    process.on("worker", countRestart);
    const [first, second] = await Promise.all([from("2001:db8::1", "/rpc/spin"), from("2001:db8::2", "/rpc/spin")]);
    expect(first).toMatchObject({ status: 500, body: { code: "57014" } });
    // On a server both run at the same time; the embedded database runs one after the other, or refuses the second after a second.
    if (kind === "pglite") expect([429, 503]).toContain(second.status);
    else expect(second).toMatchObject({ status: 500, body: { code: "57014" } });
    expect(await from("2001:db8::3", "/rpc/spin")).toMatchObject({
      status: 429,
      retry: expect.stringMatching(/^[1-6]\d$/),
      body: { code: "over_database_time", details: null, hint: null },
    });
    expect(await from("2001:db8::1", "/rooms?select=id&limit=1")).toMatchObject({ status: 429 });
    expect(restarts).toBe(0);
    expect(await from("192.0.2.1", "/rooms?select=id&limit=1")).toMatchObject({ status: 200 });
    expect((await rest.anon.from("rooms").select("id").limit(1)).status).toBe(200);
    expect((await rest.staff.from("rooms").select("id").limit(1)).status).toBe(200);
    process.off("worker", countRestart);
  });

  test.runIf(kind === "pglite")("of many networks let a page with several reads wait for one of them", async () => {
    const ended: string[] = [];
    const addresses = [1, 2, 3, 4].map((host) => `198.51.100.${host}`);
    // Those that ran; others are refused after a second of waiting.
    const slow = addresses.map((address) => from(address, "/rpc/spin").then(({ status }) => status === 500 && ended.push(address)));
    for (const _ of addresses) expect((await rest.anon.from("rooms").select("id").limit(1)).status).toBe(200);
    ended.push("the page");
    await Promise.all(slow);
    // Without the pause it waits for all that run.
    expect(ended.indexOf("the page")).toBeLessThanOrEqual(1);
  });

  test.runIf(kind === "postgres")("of many networks leave connections to everybody else", async () => {
    let ran = 0;
    const slow = Array.from({ length: 40 }, async (_, index) => {
      // Those that do not run are refused after a second of waiting.
      if ((await from(`198.51.100.${50 + index}`, "/rpc/spin")).status === 500) ran += 1;
    });
    for (let n = 1; n <= 3; n += 1) expect((await rest.staff.from("rooms").select("id").limit(1)).status).toBe(200);
    expect(ran).toBeLessThanOrEqual(6);
    await Promise.all(slow);
  });

  test("of many new networks at once are answered, or refused after a second of waiting", async () => {
    const hosts = Array.from({ length: 12 }, (_, index) => `198.51.100.${100 + index}`);
    const answers = await Promise.all(hosts.map((address) => from(address, "/rpc/spin")));
    expect(answers.filter(({ status }) => status === 500).length).toBeLessThanOrEqual(kind === "pglite" ? 3 : 6);
    expect(answers.at(-1)).toMatchObject({ status: 503, retry: "1", body: { code: "53300" } });
  });

  test.runIf(kind === "pglite")("of other networks does not hold up a network whose requests take little time", async () => {
    const fast = "203.0.113.9";
    expect((await from(fast, "/rooms?select=id&limit=1")).status).toBe(200);
    const ended: string[] = [];
    const slow = [11, 12, 13, 14].map((host) => from(`198.51.100.${host}`, "/rpc/spin").then(() => ended.push("slow")));
    // The first one waits for a statement of another network, which is not charged to this one.
    for (let n = 1; n <= 3; n += 1) await from(fast, "/rooms?select=id&limit=1").then(() => ended.push("fast"));
    await Promise.all(slow);
    expect(ended.lastIndexOf("fast")).toBeLessThanOrEqual(4);
    expect(ended.indexOf("fast")).toBeLessThanOrEqual(1);
  });
});
