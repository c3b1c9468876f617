import { beforeAll, expect, test } from "vitest";
import { describeDatabases } from "../../database.ts";
import { openRestFixture, type RestFixture } from "./fixture.ts";

describeDatabases("a request", (open) => {
  let rest: RestFixture;
  beforeAll(async () => {
    rest = await openRestFixture(open);
  });

  const preferring = (prefer: string) => ({ headers: { Prefer: prefer } });

  test("with an unknown preference and handling=lenient follows the known ones", async () => {
    const response = await rest.raw("/rooms?select=id", preferring("handling=lenient, nope=1, count=exact"));
    expect({ status: response.status, applied: response.headers.get("preference-applied") }).toEqual({
      status: 200,
      applied: "count=exact, handling=lenient",
    });
  });

  test("with missing=null writes null instead of a default", async () => {
    const init = (prefer: string) => ({
      method: "POST",
      body: '[{"a": 1}]',
      headers: { "Content-Type": "application/json", Prefer: `return=representation, ${prefer}` },
    });
    const filled = await rest.raw("/plain?columns=a,b", init("missing=default"));
    expect(await filled.json()).toMatchObject([{ a: 1, b: "none" }]);
    const empty = await rest.raw("/plain?columns=a,b", init("missing=null"));
    expect(empty.headers.get("preference-applied")).toContain("missing=null");
    expect(await empty.json()).toMatchObject([{ a: 1, b: null }]);
  });

  test("with missing=default takes a default of another type than its column", async () => {
    const headers = { "Content-Type": "application/json", Prefer: "return=representation, missing=default" };
    const response = await rest.raw("/labels?columns=id,code", { method: "POST", body: '[{"id": 1}, {"id": 2, "code": "b"}]', headers });
    expect(await response.json()).toEqual([
      { id: 1, code: expect.stringMatching(/^[0-9a-f-]{36}$/) },
      { id: 2, code: "b" },
    ]);
  });

  test("with max-affected and handling=strict is limited if it changes rows, and not if it inserts them", async () => {
    const send = async (method: string, path: string, body: unknown) => {
      const headers = { "Content-Type": "application/json", Prefer: "handling=strict, max-affected=1" };
      const response = await rest.raw(path, { method, body: JSON.stringify(body), headers });
      return { status: response.status, applied: response.headers.get("preference-applied") };
    };
    const rooms = ["n1", "n2"].map((id) => ({ id, building: "New", seats: 1 }));
    expect(await send("POST", "/rooms", rooms)).toEqual({ status: 201, applied: "handling=strict" });
    expect((await send("PATCH", "/rooms?building=eq.New", { seats: 2 })).status).toBe(400);
    expect(await send("PATCH", "/rooms?id=eq.n1", { seats: 2 })).toEqual({ status: 204, applied: "handling=strict, max-affected=1" });
    await rest.anon.from("rooms").delete().eq("building", "New");
  });

  test("with a time zone gets timestamps in it", async () => {
    const path = "/courses?select=starts_at&id=eq.2";
    const response = await rest.raw(path, preferring("timezone=America/New_York"));
    expect(response.headers.get("preference-applied")).toBe("timezone=America/New_York");
    expect(await response.json()).toEqual([{ starts_at: "2030-02-01T04:00:00-05:00" }]);
    const unknown = await rest.raw(path, preferring("timezone=Mars/Olympus"));
    expect(await unknown.json()).toEqual([{ starts_at: "2030-02-01T09:00:00+00:00" }]);
    expect((await rest.raw(path, preferring("handling=strict, timezone=Mars/Olympus"))).status).toBe(400);
  });

  test("with several time zones gets timestamps in the first", async () => {
    const response = await rest.raw("/courses?select=starts_at&id=eq.2", preferring("timezone=Mars/Olympus, timezone=America/New_York"));
    expect(response.headers.get("preference-applied")).toBeNull();
    expect(await response.json()).toEqual([{ starts_at: "2030-02-01T09:00:00+00:00" }]);
  });

  test("a project whose transactions are rolled back changes nothing, unless it allows requests to commit", async () => {
    const room = { id: "gone", building: "T", seats: 1 };
    for (const [end, stays] of [
      ["rollback", false],
      ["rollback-allow-override", true],
    ] as const) {
      const project = await openRestFixture(open, { tx_end: end });
      expect((await project.anon.from("rooms").insert(room)).status).toBe(201);
      expect((await project.anon.from("rooms").select("id").eq("id", "gone")).data).toEqual([]);
      const headers = { "Content-Type": "application/json", Prefer: "tx=commit" };
      await project.raw("/rooms", { method: "POST", body: JSON.stringify(room), headers });
      expect((await project.anon.from("rooms").select("id").eq("id", "gone")).data).toEqual(stays ? [{ id: "gone" }] : []);
    }
  });

  test("a function with one text or bytea argument receives the raw body", async () => {
    const call = async (name: string, type: string) =>
      (await rest.raw(`/rpc/${name}`, { method: "POST", body: "four", headers: { "Content-Type": type } })).json();
    expect(await call("measure_text", "text/plain")).toBe(4);
    expect(await call("measure_bytes", "application/octet-stream")).toBe(4);
  });

  test("a view of a table in a hidden schema keeps the table's keys", async () => {
    expect((await rest.anon.from("grades").select("mark, courses(title)")).data).toEqual([{ mark: "B", courses: { title: "First Aid" } }]);
    expect((await rest.anon.schema("hidden").from("grades").select()).status).toBe(406);
  });

  test("types of the extensions schema are read, compared and written", async () => {
    expect((await rest.anon.from("badges").select("badge").eq("badge", "FIRST")).data).toEqual([{ badge: "FIRST" }]);
    expect((await rest.anon.from("badges").select("badge").in("badge", ["FIRST", "LAST"])).data).toEqual([{ badge: "FIRST" }]);
    expect((await rest.anon.from("badges").insert({ id: 2, badge: "SECOND" })).status).toBe(201);
    expect((await rest.anon.from("badges").insert({ id: 3, badge: "small" })).error?.code).toBe("23514");
  });
});
