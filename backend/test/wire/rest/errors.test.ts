import { beforeAll, expect, test } from "vitest";
import { createDatabaseBudget } from "../../../src/anonymous/database-budget.ts";
import { DatabaseError, type Database } from "../../../src/db/database.ts";
import { createRest } from "../../../src/rest/index.ts";
import { describeDatabases, testLog } from "../../database.ts";
import { openRestFixture, PUBLISHABLE_KEY, SECRET_KEY, type RestFixture } from "./fixture.ts";

const JSON_HEADERS = { "Content-Type": "application/json" };

describeDatabases("refusals", (open) => {
  let rest: RestFixture;
  beforeAll(async () => {
    rest = await openRestFixture(open);
  });

  const post = (body: string, headers: Record<string, string> = {}): RequestInit => ({
    method: "POST",
    body,
    headers: { ...JSON_HEADERS, ...headers },
  });
  const fail = (state: string): [string, RequestInit] => ["/rpc/fail", post(JSON.stringify({ state, message: "said" }))];

  test.each<[name: string, path: string, init: RequestInit, status: number, body: Record<string, unknown>]>([
    [
      "an unknown table",
      "/nope",
      {},
      404,
      { code: "PGRST205", message: "Could not find the table 'public.nope' in the schema cache", hint: null, details: null },
    ],
    [
      "an unknown column in a body",
      "/rooms",
      post('{"nope": 1}'),
      400,
      { code: "PGRST204", message: "Could not find the 'nope' column of 'rooms' in the schema cache" },
    ],
    ["an unknown column in columns", "/rooms?columns=id,nope", post('{"id": 1}'), 400, { code: "PGRST204" }],
    ["an unknown column in select", "/rooms?select=nope", {}, 400, { code: "42703", message: "column rooms.nope does not exist" }],
    ["an unknown column in a filter", "/rooms?nope=eq.1", {}, 400, { code: "42703" }],
    ["an unknown cast", "/rooms?select=id::nope", {}, 400, { code: "42704" }],
    [
      "no relationship",
      "/rooms?select=teachers(*)",
      {},
      400,
      { code: "PGRST200", message: "Could not find a relationship between 'rooms' and 'teachers' in the schema cache" },
    ],
    [
      "two relationships",
      "/exams?select=teachers(*)",
      {},
      300,
      { code: "PGRST201", details: [{ cardinality: "many-to-one" }, { cardinality: "many-to-one" }] },
    ],
    ["a filter without an operator", "/rooms?id=r1", {}, 400, { code: "PGRST100", hint: null }],
    ["an unknown operator", "/rooms?id=foo.r1", {}, 400, { code: "PGRST100" }],
    ["a broken tree", "/rooms?or=(id.eq.1", {}, 400, { code: "PGRST100" }],
    ["a broken select", "/rooms?select=id,(", {}, 400, { code: "PGRST100" }],
    ["a broken order", "/rooms?order=id.sideways", {}, 400, { code: "PGRST100" }],
    ["a filter on what is not embedded", "/rooms?courses.id=eq.1", {}, 400, { code: "PGRST108" }],
    ["an order by the many", "/rooms?select=courses(id)&order=courses(id)", {}, 400, { code: "PGRST118" }],
    ["aggregates, which are off", "/rooms?select=seats.sum()", {}, 400, { code: "PGRST123" }],
    ["a delete of everything", "/rooms", { method: "DELETE" }, 400, { code: "21000", message: "DELETE requires a WHERE clause" }],
    [
      "an update of everything",
      "/rooms",
      { ...post('{"seats": 1}'), method: "PATCH" },
      400,
      { code: "21000", message: "UPDATE requires a WHERE clause" },
    ],
    ["an empty body", "/rooms", post(""), 400, { code: "PGRST102", message: "Empty or invalid json" }],
    ["a body that is no JSON", "/rooms", post("{"), 400, { code: "PGRST102" }],
    [
      "a body nested deeper than Postgres goes",
      "/rooms",
      post(`{"name":${"[".repeat(2000)}${"]".repeat(2000)}}`),
      413,
      { code: "54001", message: "stack depth limit exceeded" },
    ],
    ["a body of scalars", "/rooms", post("[1]"), 400, { code: "PGRST102" }],
    [
      "objects with other keys",
      "/rooms",
      post('[{"id": 1}, {"seats": 1}]'),
      400,
      { code: "PGRST102", message: "All object keys must match" },
    ],
    [
      "an unknown content type",
      "/rooms",
      { method: "POST", body: "x", headers: { "Content-Type": "image/png" } },
      415,
      { code: "PGRST102" },
    ],
    [
      "a schema that is not exposed",
      "/rooms",
      { headers: { "Accept-Profile": "auth" } },
      406,
      { code: "PGRST106", hint: "Only the following schemas are exposed: public, library" },
    ],
    ["the same for a write", "/rooms", post("{}", { "Content-Profile": "auth" }), 406, { code: "PGRST106" }],
    [
      "an unsupported media type",
      "/rooms",
      { headers: { Accept: "image/png" } },
      406,
      { code: "PGRST107", message: "None of these media types are available: image/png" },
    ],
    ["a plan, which is off", "/rooms", { headers: { Accept: "application/vnd.pgrst.plan+json" } }, 406, { code: "PGRST107" }],
    ["a strange verb", "/rooms", { method: "PROPFIND" }, 405, { code: "PGRST117" }],
    ["a strange path", "/rooms/r1", {}, 404, { code: "PGRST125" }],
    [
      "an unknown preference, strictly",
      "/rooms",
      { headers: { Prefer: "handling=strict, colour=red" } },
      400,
      { code: "PGRST122", details: "Invalid preferences: colour=red" },
    ],
    ["a table without a grant, as anonymous", "/secrets", {}, 401, { code: "42501" }],
    ["a duplicate", "/rooms", post('{"id": "r1", "building": "x", "seats": 1}'), 409, { code: "23505" }],
    ["a dangling reference", "/reviews", post('{"course_id": 999, "author": "x", "stars": 1}'), 409, { code: "23503" }],
    ["a missing value", "/rooms", post('{"id": "r9"}'), 400, { code: "23502" }],
    ["a failed check", "/reviews", post('{"course_id": 1, "author": "x", "stars": 9}'), 400, { code: "23514" }],
    ["a value of the wrong type", "/courses?id=eq.one", {}, 400, { code: "22P02" }],
    ["a text that is too long", "/courses", post('{"title": "x", "code": "123456"}'), 400, { code: "22001" }],
    ["a generated column", "/courses", post('{"title": "x", "cost_with_tax": 1}'), 400, { code: "428C9" }],
    ["an operator that the type does not have", "/courses?details=like.x", {}, 404, { code: "42883" }],
    ["a zero byte", "/rooms?id=eq.%00", {}, 400, { code: "22021" }],
    ["a zero byte in a name", "/rooms?a%00b=eq.1", {}, 400, { code: "PGRST100" }],
    ["a zero byte in the path", "/ro%00oms", {}, 404, { code: "PGRST205" }],
    ["a path that is no text", "/%ff", {}, 404, { code: "PGRST125" }],
    ["a raise", ...fail("P0001"), 400, { code: "P0001", message: "said", details: "the detail", hint: "the hint" }],
    ["a raise with a status", ...fail("PT402"), 402, { code: "PT402", message: "said" }],
    ["a raise with a status that is no number", ...fail("PT40A"), 500, { code: "PT40A", message: "said" }],
    ["too many rows for one value", ...fail("21000"), 500, { code: "21000" }],
    ["a cast to a type that is a property of every object", "/rooms?select=id::constructor", {}, 400, { code: "42704" }],
    ["a cast to another such type", "/rooms?select=id::__proto__", {}, 400, { code: "42704" }],
    ["a serialisation failure", ...fail("40001"), 500, { code: "40001" }],
    ["an endless recursion", ...fail("54001"), 500, { code: "54001" }],
    ["a policy that asks itself", ...fail("42P17"), 500, { code: "42P17" }],
    ["a lock that is not to be had", ...fail("55P03"), 500, { code: "55P03" }],
    ["a statement that ran too long", ...fail("57014"), 500, { code: "57014" }],
    ["a broken transaction", ...fail("25P02"), 500, { code: "25P02" }],
    ["a table that is gone", ...fail("42P01"), 404, { code: "42P01" }],
    [
      "an internal error, whose details stay private",
      ...fail("XX000"),
      500,
      { code: "XX000", message: "The database failed.", details: null, hint: null },
    ],
    ["a full disk", ...fail("53100"), 503, { code: "53100", message: "The disk is full, so nothing can be saved at the moment." }],
    ["a lack of memory", ...fail("53200"), 503, { code: "53200", message: "The database is not available at the moment." }],
    ["a configured limit", ...fail("53400"), 500, { code: "53400" }],
    ["a bad status setting", "/rpc/bad_status", post("{}"), 500, { code: "PGRST112" }],
    ["a bad headers setting", "/rpc/bad_headers", post("{}"), 500, { code: "PGRST111" }],
  ])("%s", async (_, path, init, status, body) => {
    const response = await rest.raw(path, init);
    const sent: unknown = await response.json();
    expect({ status: response.status, sent }).toMatchObject({ status, sent: body });
    expect(Object.keys(sent ?? {}).toSorted()).toEqual(["code", "details", "hint", "message"]);
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("retry-after")).toBe(status !== 503 ? null : "code" in body && body.code === "53100" ? "60" : "1");
  });

  test("name their code in Proxy-Status", async () => {
    expect((await rest.raw("/nope")).headers.get("proxy-status")).toBe("PostgREST; error=PGRST205");
    expect((await rest.raw("/rooms?id=eq.r1")).headers.get("proxy-status")).toBeNull();
    const raised = '{"code":"нет\\n","message":"no"}';
    await rest.database.transaction((tx) =>
      tx.script(`create function odd_code() returns void language plpgsql as $$ begin
        raise sqlstate 'PGRST' using message = '${raised}', detail = '{"status":418,"headers":{}}';
      end $$`),
    );
    await rest.reload();
    const odd = await rest.raw("/rpc/odd_code", post("{}"));
    expect([odd.status, odd.headers.get("proxy-status"), (await odd.json()).code]).toEqual([418, null, "нет\n"]);
  });

  test("of a raise with an invalid response say which part is invalid", async () => {
    await rest.database.transaction((tx) =>
      tx.script(`create function raise_response(message text, detail text default null) returns void language plpgsql as $$ begin
        if detail is null then raise sqlstate 'PGRST' using message = message; end if;
        raise sqlstate 'PGRST' using message = message, detail = detail;
      end $$`),
    );
    await rest.reload();
    const raise = async (body: object) => (await rest.raw("/rpc/raise_response", post(JSON.stringify(body)))).json();
    const message = '{"code":"1","message":"no"}';
    expect(await raise({ message: "no" })).toMatchObject({
      code: "PGRST121",
      details: "Invalid JSON value for MESSAGE: 'no'",
      hint: "MESSAGE must be a JSON object with obligatory keys: 'code', 'message' and optional keys: 'details', 'hint'.",
    });
    const hint = "DETAIL must be a JSON object with obligatory keys: 'status', 'headers' and optional key: 'status_text'.";
    expect(await raise({ message })).toMatchObject({ code: "PGRST121", details: "DETAIL is missing in the RAISE statement", hint });
    expect(await raise({ message, detail: "{}" })).toMatchObject({ details: "Invalid JSON value for DETAIL: '{}'", hint });
  });

  test("a caller with a grant on some columns reads these and gets 403 for others", async () => {
    expect(await rest.staff.from("secrets").select()).toMatchObject({ status: 403, error: { code: "42501" } });
    expect((await rest.staff.from("secrets").select("id")).data).toEqual([{ id: 1 }]);
  });

  test("a body over the limit is refused before it is read", async () => {
    const response = await rest.raw("/rooms", post(JSON.stringify({ id: "x".repeat(11 * 1024 * 1024) })));
    expect(response.status).toBe(413);
    const chunks = new ReadableStream({
      pull(controller) {
        controller.enqueue(new Uint8Array(1024 * 1024));
      },
    });
    const init: RequestInit & { duplex: "half" } = { method: "POST", body: chunks, headers: JSON_HEADERS, duplex: "half" };
    expect((await rest.raw("/rooms", init)).status).toBe(413);
  });

  test("browsers of any origin may send requests", async () => {
    const preflight = await rest.raw("/rooms", {
      method: "OPTIONS",
      headers: { Origin: "http://else.example", "Access-Control-Request-Headers": "apikey, x-mine" },
    });
    expect(preflight.status).toBe(200);
    expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
    expect(preflight.headers.get("access-control-allow-methods")).toContain("PATCH");
    expect(preflight.headers.get("access-control-allow-headers")).toBe("apikey, x-mine");
    expect((await rest.raw("/rooms")).headers.get("access-control-expose-headers")).toContain("Content-Range");
  });

  test("a view that selects from itself fails alone", async () => {
    const project = await openRestFixture(open);
    await project.database.transaction((tx) =>
      tx.script(`create view serpent as select 1 as id; create or replace view serpent as select id from serpent;
        grant select on serpent to anon`),
    );
    await project.reload();
    const response = await project.raw("/serpent");
    expect({ status: response.status, body: await response.json() }).toMatchObject({ status: 500, body: { code: "42P17" } });
    expect((await project.raw("/rooms")).status).toBe(200);
  });

  test("answers to a caller with a token or the secret key are not stored, and no answer has its type guessed", async () => {
    const headersOf = async (path: string, key: string) => {
      const { headers } = await rest.raw(path, { headers: { apikey: key } });
      return { cache: headers.get("cache-control"), sniff: headers.get("x-content-type-options") };
    };
    expect(await headersOf("/rooms", SECRET_KEY)).toEqual({ cache: "no-store", sniff: "nosniff" });
    expect(await headersOf("/nothing", SECRET_KEY)).toEqual({ cache: "no-store", sniff: "nosniff" });
    expect(await headersOf("/rooms", PUBLISHABLE_KEY)).toEqual({ cache: null, sniff: "nosniff" });
  });

  test("a changed schema is loaded after a notification", async () => {
    const { database } = rest;
    const status = async (): Promise<number> => (await rest.raw("/fresh")).status;
    expect(await status()).toBe(404);
    await database.transaction((tx) =>
      tx.script("create table fresh (id integer); grant select on fresh to anon; notify pgrst, 'reload schema'"),
    );
    await expect.poll(status, { timeout: 20_000 }).toBe(200);
    await database.transaction((tx) => tx.script("drop table fresh"));
    expect(await status()).toBe(404);
    await database.transaction((tx) => tx.script("create table fresher (id integer); grant select on fresher to anon"));
    await rest.reload();
    expect((await rest.raw("/fresher")).status).toBe(200);
  });
});

test("an unreachable database gives 503 with Retry-After and without its address", async () => {
  const away = async (): Promise<never> => {
    throw new DatabaseError("connect ECONNREFUSED 10.1.2.3:5432", { code: "08006" });
  };
  const database: Database = { kind: "postgres", transaction: away, listen: away, waiting: () => 0, close: async () => undefined };
  const identify = async () => ({ role: "anon", claims: {}, authenticated: false });
  const api = {
    schemas: ["public"],
    extra_search_path: [],
    max_rows: 10,
    aggregates_enabled: false,
    plan_enabled: false,
    tx_end: "commit",
  } as const;
  const rest = createRest({
    database,
    identify,
    config: { api: { ...api, schemas: ["public"], extra_search_path: [] } },
    budget: createDatabaseBudget(),
    log: testLog,
  });
  const response = await rest.fetch(new Request("http://rest.test/rest/v1/rooms"));
  expect({ status: response.status, retry: response.headers.get("retry-after") }).toEqual({ status: 503, retry: "1" });
  expect(await response.text()).not.toContain("10.1.2.3");
});
