import { beforeAll, describe, expect, test } from "vitest";
import { describeDatabases } from "../../database.ts";
import { openRestFixture, type RestFixture, USER_ID } from "./fixture.ts";

describeDatabases("calling functions through supabase-js", (open, kind) => {
  let rest: RestFixture;
  beforeAll(async () => {
    rest = await openRestFixture(open);
  });

  describe.each([{ get: false }, { get: true }])("with %j", (options) => {
    test("scalars, their defaults, and sets of them", async () => {
      expect((await rest.anon.rpc("add", { a: 2, b: 3 }, options)).data).toBe(5);
      expect((await rest.anon.rpc("add", { a: 2 }, options)).data).toBe(3);
      expect((await rest.anon.rpc("shout", { words: "a,b {c}" }, options)).data).toBe("A,B {C}");
      expect((await rest.anon.rpc("numbers", { count: 3 }, options)).data).toEqual([1, 2, 3]);
      expect((await rest.anon.rpc("join_tags", { tags: ["a", "b c"] }, options)).data).toBe("a+b c");
    });

    test("rows of tables take filters, order, pages and embeds", async () => {
      const { data } = await rest.anon
        .rpc("courses_above", { minimum: 100 }, options)
        .select("title,rooms(building)")
        .eq("level", "advanced")
        .order("price")
        .limit(1);
      expect(data).toEqual([{ title: "Fire Safety", rooms: null }]);
      const counted = await rest.anon
        .rpc("courses_above", { minimum: 100 }, { ...options, count: "exact" })
        .select("id")
        .order("id")
        .range(0, 0);
      expect({ count: counted.count, data: counted.data, status: counted.status }).toEqual({ count: 3, data: [{ id: 2 }], status: 206 });
      expect((await rest.anon.rpc("one_course", { course: 2 }, options).select("id,title")).data).toEqual({
        id: 2,
        title: "Door Supervisor",
      });
    });

    test("rows of composite types", async () => {
      expect((await rest.anon.rpc("level_prices", {}, options).gt("total", 400)).data).toEqual([{ level: "advanced", total: 1920 }]);
    });

    test("the caller is known to SQL", async () => {
      // The embedded Postgres ignores statement_timeout.
      const timeouts = kind === "postgres" ? { authenticated: "8s", anon: "3s" } : { authenticated: "0", anon: "0" };
      expect((await rest.staff.rpc("who", {}, options).setHeader("x-agent", "test")).data).toEqual({
        role: "authenticated",
        uid: USER_ID,
        method: options.get ? "GET" : "POST",
        path: "/rpc/who",
        agent: "test",
        timeout: timeouts.authenticated,
      });
      expect((await rest.anon.rpc("who", {}, options)).data).toMatchObject({ role: "anon", uid: null, timeout: timeouts.anon });
      expect((await rest.admin.rpc("who", {}, options)).data).toMatchObject({ role: "service_role", timeout: "0" });
    });
  });

  test("scalars and rows are returned as CSV", async () => {
    expect((await rest.anon.rpc("numbers", { count: 2 }).csv()).data).toBe("value\n1\n2");
    expect((await rest.anon.rpc("level_prices").csv()).data).toBe("level,total\nbeginner,330.00\nadvanced,1920.00");
  });

  test("variadic arguments are a list or repeated parameters", async () => {
    expect((await rest.anon.rpc("total", { amounts: [1, 2, 3] })).data).toBe(6);
    expect(await (await rest.raw("/rpc/total?amounts=1&amounts=4")).json()).toBe(5);
  });

  test("a single unnamed argument receives the whole body", async () => {
    expect((await rest.anon.rpc("echo_json", { any: ["thing"] })).data).toEqual({ any: ["thing"] });
  });

  test("void answers 204", async () => {
    expect(await rest.anon.rpc("do_nothing")).toMatchObject({ status: 204, data: null, error: null });
    expect((await rest.anon.rpc("rename_course", { course: 4, title: "Fire" })).error).toBeNull();
    expect((await rest.anon.from("courses").select("title").eq("id", 4).single()).data).toEqual({ title: "Fire" });
  });

  test("a volatile function runs once, also with a count, and cannot write in a GET", async () => {
    const counted = await rest.anon.rpc("add_review", { course: 3 }, { count: "exact" });
    expect({ count: counted.count, rows: counted.data?.length }).toEqual({ count: 1, rows: 1 });
    expect((await rest.anon.from("reviews").select().eq("author", "rpc")).data).toHaveLength(1);
    expect(await rest.anon.rpc("add_review", { course: 3 }, { get: true })).toMatchObject({ status: 405, error: { code: "25006" } });
    expect((await rest.anon.rpc("add_review", { course: 3 }, { head: true })).status).toBe(405);
  });

  test("unknown and ambiguous functions are refused", async () => {
    expect(await rest.anon.rpc("nothing", { x: 1 })).toMatchObject({ status: 404, error: { code: "PGRST202" } });
    expect(await rest.anon.rpc("add", { a: 1, z: 1 })).toMatchObject({ status: 404, error: { code: "PGRST202" } });
    expect(await rest.anon.rpc("add", { b: 1 })).toMatchObject({ status: 404, error: { code: "PGRST202" } });
    expect(await rest.anon.rpc("overloaded", { a: 1 })).toMatchObject({ status: 300, error: { code: "PGRST203" } });
    expect(await (await rest.raw("/rpc/add", { method: "PUT" })).json()).toMatchObject({ code: "PGRST101" });
  });

  describe("with unusual results or arguments", () => {
    beforeAll(async () => {
      await rest.database.transaction((tx) =>
        tx.script(`
          create function one_record() returns record language sql stable as $$ select id, title from courses where id = 1 $$;
          create function all_records() returns setof record language sql stable as $$ select id, title from courses where id < 3 order by id $$;
          create domain open_course as courses check ((value).price is not null);
          create function open_course(course integer) returns open_course language sql stable as $$ select c::open_course from courses c where id = course $$;
          create function open_courses() returns setof open_course language sql stable as $$ select c::open_course from courses c order by id $$;
          create type pair as (a integer, b text);
          create domain full_pair as pair;
          create function full_pair() returns full_pair language sql immutable as $$ select row(1, 'x')::pair::full_pair $$;
          create function unnamed(integer) returns integer language sql immutable as $$ select $1 $$;
          create function unnamed(integer, integer) returns integer language sql immutable as $$ select $1 + $2 $$;
          create function keys_of(json) returns text language sql immutable as $$ select $1::text $$;
          create function keys_of() returns text language sql immutable as $$ select 'none' $$;
          create function join_words(variadic words text[]) returns text language sql immutable as $$ select array_to_string(words, '+') $$;
          create function byte_of(bytea) returns integer language sql immutable as $$ select get_byte($1, 1) $$;
        `),
      );
      await rest.reload();
    });

    const post = async (path: string, body: BodyInit, headers: Record<string, string> = {}) => {
      const response = await rest.raw(path, { method: "POST", body, headers: { "Content-Type": "application/json", ...headers } });
      return { status: response.status, body: response.status === 204 ? null : await response.json() };
    };

    test("records without declared columns are objects", async () => {
      expect((await rest.anon.rpc("one_record")).data).toEqual({ id: 1, title: "First Aid" });
      expect((await rest.anon.rpc("all_records")).data).toEqual([
        { id: 1, title: "First Aid" },
        { id: 2, title: "Door Supervisor" },
      ]);
    });

    test("a domain over a row is a row, which embeds if it is a table's", async () => {
      expect((await rest.anon.rpc("open_course", { course: 1 }).select("title,rooms(building)")).data).toEqual({
        title: "First Aid",
        rooms: { building: "North" },
      });
      expect((await rest.anon.rpc("open_courses").select("id,best_review(author)").eq("id", 2)).data).toEqual([
        { id: 2, best_review: { author: "Max" } },
      ]);
      expect((await rest.anon.rpc("full_pair")).data).toEqual({ a: 1, b: "x" });
    });

    test("functions with unnamed arguments cannot be called, except with the whole body", async () => {
      expect(await post("/rpc/unnamed", "{}")).toMatchObject({ status: 404, body: { code: "PGRST202" } });
      expect(await post("/rpc/unnamed", '{"": 5}')).toMatchObject({ status: 404, body: { code: "PGRST202" } });
      expect(await post("/rpc/echo_json", '{"": 5}')).toEqual({ status: 200, body: { "": 5 } });
      expect(await post("/rpc/keys_of", "{}")).toEqual({ status: 200, body: "none" });
      expect(await post("/rpc/keys_of", '{"a": 1}')).toEqual({ status: 200, body: '{"a": 1}' });
      expect(await post("/rpc/measure_text", "x", { "Content-Type": "text/xml" })).toMatchObject({ status: 404 });
      expect(await post("/rpc/keys_of", "a=1", { "Content-Type": "application/x-www-form-urlencoded" })).toMatchObject({ status: 404 });
      expect(await post("/rpc/byte_of", new Uint8Array([0, 254, 92]), { "Content-Type": "application/octet-stream" })).toEqual({
        status: 200,
        body: 254,
      });
    });

    test("of a list, the first object is the arguments", async () => {
      expect(await post("/rpc/add", '[{"a": 2, "b": 3}, {"a": 5, "b": 6}]')).toEqual({ status: 200, body: 5 });
      expect(await post("/rpc/add", '[{"a": 2}, {"a": 5, "b": 6}]')).toMatchObject({
        status: 400,
        body: { code: "PGRST102", message: "All object keys must match" },
      });
      expect(await post("/rpc/add?columns=a", '[{"a": 2}, {"a": 5, "b": 6}]')).toEqual({ status: 200, body: 3 });
      expect(await post("/rpc/do_nothing", "[]")).toEqual({ status: 204, body: null });
      expect(await post("/rpc/echo_json", '[{"a": 2}]')).toEqual({ status: 200, body: [{ a: 2 }] });
      expect(await post("/rpc/echo_json", "[1, 2]")).toMatchObject({
        status: 400,
        body: { code: "PGRST102", message: "All object keys must match" },
      });
    });

    test("variadic arguments of a form are a list, others the last value", async () => {
      const form = { "Content-Type": "application/x-www-form-urlencoded" };
      expect(await post("/rpc/join_words", "words=hi&words=there", form)).toEqual({ status: 200, body: "hi+there" });
      expect(await post("/rpc/join_words", "words=hi", form)).toEqual({ status: 200, body: "hi" });
      expect(await post("/rpc/add", "a=1&a=2&b=3", form)).toEqual({ status: 200, body: 5 });
    });

    test("max-affected is only for functions that return sets", async () => {
      const strict = { Prefer: "handling=strict, max-affected=2" };
      expect(await post("/rpc/do_nothing", "{}", strict)).toMatchObject({ status: 400, body: { code: "PGRST128" } });
      expect(await post("/rpc/add", '{"a": 1}', strict)).toMatchObject({ status: 400, body: { code: "PGRST128" } });
      expect(await post("/rpc/numbers", '{"count": 2}', strict)).toEqual({ status: 200, body: [1, 2] });
      expect(await post("/rpc/numbers", '{"count": 3}', strict)).toMatchObject({ status: 400, body: { code: "PGRST124" } });
      expect((await rest.raw("/rpc/numbers?count=3", { headers: strict })).status).toBe(400);
    });
  });

  test("one value or one row is counted as one", async () => {
    const range = async (path: string) => (await rest.raw(path, { headers: { Prefer: "count=exact" } })).headers.get("content-range");
    expect(await range("/rpc/add?a=1")).toBe("0-0/1");
    expect(await range("/rpc/one_course?course=1")).toBe("0-0/1");
    expect(await range("/rpc/numbers?count=3")).toBe("0-2/3");
  });

  test("SQL reads the cookies of a request", async () => {
    const sql = "create function cookies() returns json language sql stable as $$ select current_setting('request.cookies')::json $$";
    await rest.database.transaction((tx) => tx.script(sql));
    await rest.reload();
    const cookies = async (headers: Record<string, string>) => (await rest.raw("/rpc/cookies", { headers })).json();
    expect(await cookies({})).toEqual({});
    expect(await cookies({ Cookie: "a=1; b=x=y" })).toEqual({ a: "1", b: "x=y" });
  });

  test("SQL chooses status, headers and errors", async () => {
    const teapot = await rest.raw("/rpc/teapot", { method: "POST" });
    expect({
      status: teapot.status,
      kettle: teapot.headers.get("x-kettle"),
      cache: teapot.headers.get("cache-control"),
      body: await teapot.json(),
    }).toEqual({
      status: 418,
      kettle: "on",
      cache: "no-store",
      body: "short and stout",
    });
    const refused = await rest.raw("/rpc/refuse", { method: "POST" });
    expect({ status: refused.status, kettle: refused.headers.get("x-kettle"), body: await refused.json() }).toEqual({
      status: 418,
      kettle: "on",
      body: { code: "nope", message: "Not today", details: null, hint: "tomorrow" },
    });
  });
});
