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
    const list = await rest.raw("/rpc/echo_json", { method: "POST", body: "[1, 2]", headers: { "Content-Type": "application/json" } });
    expect(await list.json()).toEqual([1, 2]);
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
