import { beforeAll, expect, test } from "vitest";
import { describeDatabases } from "../../database.ts";
import { openRestFixture, type RestFixture } from "./fixture.ts";

describeDatabases("a write that is rolled back", (open) => {
  let rest: RestFixture;
  beforeAll(async () => {
    rest = await openRestFixture(open);
  });

  test("single rolls back a write of any other number of rows", async () => {
    const before = await rest.anon.from("rooms").select().order("id");
    const { error, status } = await rest.anon.from("rooms").update({ seats: 77 }).in("id", ["r1", "r2"]).select().single();
    expect({ status, code: error?.code, details: error?.details }).toEqual({
      status: 406,
      code: "PGRST116",
      details: "The result contains 2 rows",
    });
    expect((await rest.anon.from("rooms").delete().eq("id", "none").select().single()).status).toBe(406);
    expect((await rest.anon.from("rooms").select().order("id")).data).toEqual(before.data);
  });

  test("max-affected rolls back a write of more rows", async () => {
    const { error } = await rest.anon.from("rooms").delete().like("id", "r%").setHeader("Prefer", "handling=strict, max-affected=1");
    expect(error).toMatchObject({ code: "PGRST124", details: "The query affects 3 rows" });
    expect((await rest.anon.from("rooms").select("id").like("id", "r%")).data).toHaveLength(3);
    const fine = await rest.raw("/rooms?id=eq.r1", {
      method: "PATCH",
      headers: { "Content-Type": "application/json", Prefer: "handling=strict, max-affected=1" },
      body: JSON.stringify({ seats: 12 }),
    });
    expect({ status: fine.status, applied: fine.headers.get("preference-applied") }).toEqual({
      status: 204,
      applied: "handling=strict, max-affected=1",
    });
  });

  test("a write that asks for one object changes nothing unless it writes one row", async () => {
    const writeOne = async (method: string, path: string, body: unknown) => {
      const headers = { "Content-Type": "application/json", Accept: "application/vnd.pgrst.object+json" };
      const response = await rest.raw(path, { method, headers, ...(body === null ? {} : { body: JSON.stringify(body) }) });
      return { status: response.status, code: response.ok ? null : (await response.json()).code };
    };
    const room = (id: string) => ({ id, building: "single", seats: 1 });
    const refused = { status: 406, code: "PGRST116" };
    const ids = async () => (await rest.admin.from("rooms").select("id").eq("building", "single").order("id")).data?.map(({ id }) => id);
    expect(await writeOne("POST", "/rooms", [room("s1"), room("s2")])).toEqual(refused);
    expect(await ids()).toEqual([]);
    expect(await writeOne("POST", "/rooms", room("s1"))).toEqual({ status: 201, code: null });
    expect(await writeOne("POST", "/rooms", room("s2"))).toEqual({ status: 201, code: null });
    expect(await writeOne("PATCH", "/rooms?building=eq.single", { building: "changed" })).toEqual(refused);
    expect(await writeOne("PATCH", "/rooms?building=eq.nowhere", { building: "changed" })).toEqual(refused);
    expect(await writeOne("DELETE", "/rooms?building=eq.single", null)).toEqual(refused);
    expect(await ids()).toEqual(["s1", "s2"]);
    expect(await writeOne("DELETE", "/rooms?id=eq.s1", null)).toEqual({ status: 204, code: null });
    await rest.admin.from("rooms").delete().eq("building", "single");
  });

  test("Prefer: tx=rollback returns the result without storing it if config.toml allows it", async () => {
    const allowed = await openRestFixture(open, { tx_end: "commit-allow-override" });
    const { data } = await allowed.anon.from("rooms").insert({ id: "t1", building: "T", seats: 1 }).select().rollback();
    expect(data).toEqual([{ id: "t1", building: "T", seats: 1 }]);
    expect((await allowed.anon.from("rooms").select().eq("id", "t1")).data).toEqual([]);
    await rest.anon.from("rooms").insert({ id: "t1", building: "T", seats: 1 }).rollback();
    expect((await rest.anon.from("rooms").select("id").eq("id", "t1")).data).toEqual([{ id: "t1" }]);
  });
});
