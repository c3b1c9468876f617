import { beforeAll, expect, test } from "vitest";
import { describeDatabases } from "../../database.ts";
import { openRestFixture, type RestFixture, USER_ID } from "./fixture.ts";

describeDatabases("writing a table through supabase-js", (open) => {
  let rest: RestFixture;
  beforeAll(async () => {
    rest = await openRestFixture(open);
  });

  const write = (method: string, path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
    rest.raw(path, {
      method,
      headers: { "Content-Type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  test("an insert answers 201 without a body, and with representation the rows and their defaults", async () => {
    const minimal = await write("POST", "/rooms", { id: "w1", building: "West", seats: 3 });
    expect({ status: minimal.status, body: await minimal.text(), type: minimal.headers.get("content-type") }).toEqual({
      status: 201,
      body: "",
      type: null,
    });
    expect(minimal.headers.get("location")).toBeNull();

    const full = await write(
      "POST",
      "/courses",
      { title: "New", details: { a: [1, null] }, tags: ["x", "y,z"] },
      { Prefer: "return=representation, count=exact" },
    );
    expect(full.status).toBe(201);
    expect(await full.json()).toMatchObject([
      { title: "New", level: "beginner", price: 100, details: { a: [1, null] }, tags: ["x", "y,z"], cost_with_tax: 120 },
    ]);
    expect(full.headers.get("preference-applied")).toBe("return=representation, count=exact");
    expect(full.headers.get("content-range")).toBe("*/1");

    const one = await rest.anon.from("courses").insert({ title: "One" }).select("title,price::text").single();
    expect(one).toMatchObject({ status: 201, data: { title: "One", price: "100.00" } });
  });

  test("return=headers-only returns the location of the row", async () => {
    const response = await write("POST", "/course_teachers", { course_id: 4, teacher_id: 2 }, { Prefer: "return=headers-only" });
    expect({ status: response.status, location: response.headers.get("location"), body: await response.text() }).toEqual({
      status: 201,
      location: "/course_teachers?course_id=eq.4&teacher_id=eq.2",
      body: "",
    });
  });

  test("bulk inserts use null or the default for a missing key, as requested", async () => {
    const rows = [{ a: 1, b: "given" }, { a: 2 }];
    expect((await rest.anon.from("plain").insert(rows).select("a,b")).data).toEqual([
      { a: 1, b: "given" },
      { a: 2, b: null },
    ]);
    expect((await rest.anon.from("plain").insert(rows, { defaultToNull: false }).select("a,b")).data).toEqual([
      { a: 1, b: "given" },
      { a: 2, b: "none" },
    ]);
    const ids = await rest.anon
      .from("teachers")
      .insert([{ name: "Di" }, { name: "Ed", id: 50 }], { defaultToNull: false })
      .select("id");
    expect(ids.data?.[1]).toEqual({ id: 50 });
    expect((await write("POST", "/plain", [{ a: 1 }, { b: "x" }])).status).toBe(400);
    expect((await rest.anon.from("plain").insert([]).select()).data).toEqual([]);
    expect(await (await write("POST", "/plain", [{}, {}], { Prefer: "return=representation" })).json()).toHaveLength(2);
    expect(await (await write("POST", "/plain", {}, { Prefer: "return=representation" })).json()).toEqual([
      { a: null, b: "none", c: null },
    ]);
    const some = await write("POST", "/plain?columns=a", [{ a: 7, junk: 1 }], { Prefer: "return=representation" });
    expect(await some.json()).toEqual([{ a: 7, b: "none", c: null }]);
  });

  test("no object, or one without keys, needs no column that the caller may write", async () => {
    await rest.database.transaction((tx) =>
      tx.script(`
        create table numbered (id bigint generated always as identity primary key, a text default 'x', b text);
        create table computed (twice integer generated always as (once * 2) stored, once integer);
        grant select, insert (a), update (a) on numbered to anon;
        grant select, insert, update on computed to anon;
      `),
    );
    await rest.reload();
    for (const table of ["numbered", "computed"]) {
      expect(await rest.anon.from(table).insert([]).select()).toMatchObject({ status: 201, data: [] });
      expect(await rest.anon.from(table).insert([])).toMatchObject({ status: 201, error: null });
      expect((await rest.anon.from(table).upsert([])).error).toBeNull();
      expect(await rest.anon.from(table).insert([{}, {}]).select()).toMatchObject({ status: 201, data: [{}, {}] });
      expect(await rest.anon.from(table).update({}).not("ctid", "is", null)).toMatchObject({ status: 204, error: null });
      expect(await rest.anon.from(table).update({}).not("ctid", "is", null).select()).toMatchObject({ status: 200, data: [] });
    }
    expect((await rest.anon.from("numbered").select("id,a").order("id")).data).toEqual([
      { id: 1, a: "x" },
      { id: 2, a: "x" },
    ]);
  });

  test("numbers are not rounded and text is not escaped", async () => {
    const body =
      '{"title": "q\\"uote\\\\ \u00e9 \\u2603 $1 \'; drop table courses; --", "price": 12345.67, "details": {"big": 12345678901234567890.123}}';
    const response = await rest.raw("/courses?select=title,price,details", {
      method: "POST",
      body,
      headers: { "Content-Type": "application/json", Prefer: "return=representation" },
    });
    expect(await response.text()).toContain('"big": 12345678901234567890.123');
  });

  test("CSV and form bodies are inserted as well", async () => {
    const headers = { Prefer: "return=representation" };
    const csv = await rest.raw("/rooms", {
      method: "POST",
      body: 'id,building,seats\nc1,"East, ""old""",4\nc2,NULLED,5\n',
      headers: { ...headers, "Content-Type": "text/csv" },
    });
    expect(await csv.json()).toEqual([
      { id: "c1", building: 'East, "old"', seats: 4 },
      { id: "c2", building: "NULLED", seats: 5 },
    ]);
    const form = await rest.raw("/rooms", {
      method: "POST",
      body: "id=f1&building=A+B&seats=6",
      headers: { ...headers, "Content-Type": "application/x-www-form-urlencoded" },
    });
    expect(await form.json()).toEqual([{ id: "f1", building: "A B", seats: 6 }]);
  });

  test("an upsert merges or ignores, and its status shows whether it inserted", async () => {
    const { anon } = rest;
    const inserted = await anon
      .from("rooms")
      .upsert([
        { id: "u1", building: "A", seats: 1 },
        { id: "u2", building: "B", seats: 2 },
      ])
      .select();
    expect(inserted).toMatchObject({ status: 201, data: [{ id: "u1" }, { id: "u2" }] });
    const updated = await anon.from("rooms").upsert({ id: "u1", building: "C", seats: 1 }).select();
    expect(updated).toMatchObject({ status: 200, data: [{ id: "u1", building: "C" }] });
    const both = await anon
      .from("rooms")
      .upsert([
        { id: "u1", building: "D", seats: 1 },
        { id: "u3", building: "E", seats: 1 },
      ])
      .select("building");
    expect(both).toMatchObject({ status: 201, data: [{ building: "D" }, { building: "E" }] });
    const ignored = await anon
      .from("rooms")
      .upsert(
        [
          { id: "u1", building: "F", seats: 1 },
          { id: "u4", building: "G", seats: 1 },
        ],
        { ignoreDuplicates: true },
      )
      .select("id");
    expect(ignored).toMatchObject({ status: 201, data: [{ id: "u4" }] });
    const named = await anon.from("teachers").upsert({ name: "Bo", mentor_id: null }, { onConflict: "name" }).select("id,mentor_id");
    expect(named).toMatchObject({ status: 200, data: [{ id: 2, mentor_id: null }] });
    const applied = await write(
      "POST",
      "/rooms",
      { id: "u1", building: "H", seats: 1 },
      { Prefer: "resolution=merge-duplicates,return=representation" },
    );
    expect(applied.headers.get("preference-applied")).toBe("resolution=merge-duplicates, return=representation");
  });

  test("PUT writes the one row its filters name", async () => {
    const put = (query: string, body: unknown): Promise<Response> => write("PUT", `/rooms?${query}`, body);
    expect((await put("id=eq.p1", { id: "p1", building: "P", seats: 1 })).status).toBe(201);
    expect((await put("id=eq.p1", { id: "p1", building: "Q", seats: 1 })).status).toBe(204);
    expect(await (await put("id=eq.p1", { id: "other", building: "Q", seats: 1 })).json()).toMatchObject({ code: "PGRST115" });
    const otherColumn = await put("building=eq.Q", { id: "p1", building: "Q", seats: 1 });
    expect({ status: otherColumn.status, body: await otherColumn.json() }).toMatchObject({ status: 405, body: { code: "PGRST105" } });
    expect(await (await put("id=eq.p1&limit=1", { id: "p1", building: "Q", seats: 1 })).json()).toMatchObject({ code: "PGRST114" });
  });

  test("an update answers 204, and with representation the rows it changed", async () => {
    const minimal = await write("PATCH", "/rooms?id=eq.r3", { seats: 9 });
    expect({ status: minimal.status, range: minimal.headers.get("content-range"), body: await minimal.text() }).toEqual({
      status: 204,
      range: "0-0/*",
      body: "",
    });
    const none = await write("PATCH", "/rooms?id=eq.none", { seats: 9 }, { Prefer: "count=exact" });
    expect({ status: none.status, range: none.headers.get("content-range") }).toEqual({ status: 204, range: "*/0" });
    const changed = await rest.anon
      .from("rooms")
      .update({ seats: 10 }, { count: "exact" })
      .in("id", ["r1", "r3"])
      .select("id,seats")
      .order("id", { ascending: false });
    expect(changed).toMatchObject({
      status: 200,
      count: 2,
      data: [
        { id: "r3", seats: 10 },
        { id: "r1", seats: 10 },
      ],
    });
    expect((await rest.anon.from("rooms").update({}).eq("id", "r1").select()).data).toEqual([]);
    expect((await rest.anon.from("rooms").update({ seats: 1 }).eq("id", "none").select()).data).toEqual([]);
  });

  test("a delete answers 204, and with representation the deleted rows", async () => {
    await rest.anon.from("rooms").insert([
      { id: "d1", building: "D", seats: 1 },
      { id: "d2", building: "D", seats: 1 },
    ]);
    const response = await write("DELETE", "/rooms?id=eq.d1", undefined, { Prefer: "count=exact" });
    expect({ status: response.status, range: response.headers.get("content-range") }).toEqual({ status: 204, range: "*/1" });
    expect(await rest.anon.from("rooms").delete().eq("id", "d2").select("id")).toMatchObject({ status: 200, data: [{ id: "d2" }] });
    expect((await rest.anon.from("rooms").delete().eq("id", "d2").select("id")).data).toEqual([]);
  });

  test("a write with a filter on a table that is not embedded is refused", async () => {
    const count = async (): Promise<number | null> => (await rest.anon.from("reviews").select("*", { count: "exact", head: true })).count;
    const before = await count();
    for (const path of ["/reviews?courses.id=eq.1", "/reviews?courses.or=(id.eq.1,id.eq.2)", "/reviews?courses.limit=1"]) {
      expect((await write("DELETE", path, undefined)).status).toBe(400);
      expect((await write("PATCH", path, { stars: 1 })).status).toBe(400);
    }
    expect((await write("DELETE", "/reviews?courses=is.null&select=courses()", undefined)).status).toBe(400);
    expect(await count()).toBe(before);
  });

  test("an update uses the first row of a list, and writes filter by computed columns", async () => {
    const update = await write("PATCH", "/courses?slug=eq.fire-safety&select=code", [{ code: "one" }, { code: "two" }], {
      Prefer: "return=representation",
    });
    expect(await update.json()).toEqual([{ code: "one" }]);
    expect((await rest.anon.from("courses").delete().eq("letters", 99).select("id")).data).toEqual([]);
  });

  test("a written row is returned with its embeds and computed columns", async () => {
    const { data } = await rest.anon
      .from("courses")
      .update({ price: 81 })
      .eq("id", 1)
      .select("slug,room:rooms(building),teachers(name),reviews(stars)")
      .order("stars", { referencedTable: "reviews" });
    expect(data).toEqual([
      {
        slug: "first-aid",
        room: { building: "North" },
        teachers: [{ name: "Ada" }, { name: "Bo" }],
        reviews: [{ stars: 3 }, { stars: 5 }],
      },
    ]);
  });

  test("a computed relationship receives the whole written row", async () => {
    const { data } = await rest.anon.from("teachers").update({ mentor_id: 1 }).eq("id", 3).select("*, eldest_pupil(name)");
    expect(data).toEqual([{ id: 3, name: "Cy", mentor_id: 1, eldest_pupil: null }]);
    const parent = await rest.anon.from("teachers").update({ name: "Ada" }).eq("id", 1).select("name, eldest_pupil(name)").single();
    expect(parent.data).toEqual({ name: "Ada", eldest_pupil: { name: "Cy" } });
  });

  test("policies decide who may write a row", async () => {
    const { data } = await rest.staff.from("notes").insert({ content: "mine" }).select("owner").single();
    expect(data).toEqual({ owner: USER_ID });
    expect((await rest.anon.from("notes").select()).data).toEqual([]);
    expect(await rest.anon.from("notes").insert({ content: "theirs" })).toMatchObject({ status: 401, error: { code: "42501" } });
    expect(await rest.staff.from("notes").insert({ content: "theirs", owner: crypto.randomUUID() })).toMatchObject({
      status: 403,
      error: { code: "42501" },
    });
    expect((await rest.anon.from("notes").update({ content: "x" }).neq("content", "").select()).data).toEqual([]);
    expect((await rest.admin.from("notes").select("content")).data).toEqual([{ content: "mine" }]);
    expect((await rest.staff.from("notes").delete().eq("content", "mine").select("content")).data).toEqual([{ content: "mine" }]);
  });
});
