import { beforeAll, describe, expect, test } from "vitest";
import { describeDatabases } from "../../database.ts";
import { openRestFixture, type RestFixture } from "./fixture.ts";

describeDatabases("reading a table through supabase-js", (open) => {
  let rest: RestFixture;
  beforeAll(async () => {
    rest = await openRestFixture(open);
  });

  test("rows are returned exactly as Postgres writes them as JSON", async () => {
    const { data, error, status } = await rest.anon.from("courses").select("id,price,starts_at,tags,details,dates,level").eq("id", 1);
    expect({ error, status }).toEqual({ error: null, status: 200 });
    expect(data).toEqual([
      {
        id: 1,
        price: 80,
        starts_at: "2030-01-01T09:00:00.123456+00:00",
        tags: ["health", "short"],
        details: { hours: 6, parts: [{ name: "theory" }, { name: "practice" }] },
        dates: "[2030-01-01,2030-01-03)",
        level: "beginner",
      },
    ]);
  });

  test("select takes aliases, casts and JSON paths", async () => {
    const { data } = await rest.anon
      .from("courses")
      .select(
        "name:title,price::text,details->hours,text:details->>hours,part:details->parts->1->>name,no:details->nothing,tags->0,starts_at->x",
      )
      .eq("id", 1);
    expect(data).toEqual([{ name: "First Aid", price: "80.00", hours: 6, text: "6", part: "practice", no: null, tags: "health", x: null }]);
  });

  test("quoted names select any column", async () => {
    const { data } = await rest.anon.from('Odd "name".s').select('"a,b","x->y",select').eq('"a,b"', 1);
    expect(data).toEqual([{ "a,b": 1, "x->y": "arrow", select: "first" }]);
  });

  const titles = ["First Aid", "Door Supervisor", "Close Protection", "Fire Safety"] as const;
  const [firstAid, door, close, fire] = titles;
  test.each([
    ["title=eq.First Aid", [firstAid]],
    ["title=neq.First Aid", [door, close, fire]],
    ["price=gt.120", [door, close]],
    ["price=gte.120", [door, close, fire]],
    ["price=lt.120", [firstAid]],
    ["price=lte.120", [firstAid, fire]],
    ["title=like.F*", [firstAid, fire]],
    ["title=ilike.*PROT*", [close]],
    ["title=match.^F.*y$", [fire]],
    ["title=imatch.^f", [firstAid, fire]],
    ["id=in.(1,3)", [firstAid, close]],
    ['title=in.("First Aid","a,b")', [firstAid]],
    ["id=in.()", []],
    ["room_id=is.null", [fire]],
    ["room_id=not.is.null", [firstAid, door, close]],
    ["room_id=is.not_null", [firstAid, door, close]],
    ["room_id=isdistinct.r2", [firstAid, fire]],
    ["tags=cs.{security}", [door, close]],
    ["tags=cd.{security,licence}", [door, close]],
    ["tags=ov.{short,licence}", [firstAid, door]],
    ["tags=eq.{health}", [fire]],
    ['details=cs.{"exam":true}', [door, close]],
    ["dates=ov.[2030-02-05,2030-03-10)", [door, fire]],
    ["dates=sl.[2030-02-15,2030-03-10)", [firstAid, door]],
    ["dates=sr.[2030-01-05,2030-01-10)", [door, fire]],
    ["dates=nxl.[2030-02-01,2030-02-02)", [door, fire]],
    ["dates=nxr.[2030-01-01,2030-01-10)", [firstAid]],
    ["dates=adj.[2030-01-03,2030-01-10)", [firstAid]],
    ["details->>hours=eq.40", [door]],
    ["details->hours=gt.40", [close]],
    ["details->parts->0->>name=eq.theory", [firstAid]],
    ["level=eq.advanced", [close, fire]],
    ["starts_at=gt.2030-02-01T00:00:00Z", [door, fire]],
    ["words=fts.aid", [firstAid]],
    ["words=fts(english).supervisors", [door]],
    ["words=plfts.fire safety", [fire]],
    ["words=phfts(english).fire safety", [fire]],
    ["words=wfts.aid or fire", [firstAid, fire]],
    ["words=not.fts.aid", [door, close, fire]],
    ["title=fts(english).supervisors", [door]],
    ["id=not.in.(1,2)", [close, fire]],
    ["title=like(any).{F*,D*}", [firstAid, door, fire]],
    ["title=like(all).{F*,*y}", [fire]],
    ["id=eq(any).{1,4}", [firstAid, fire]],
    ["id=gt(all).{1,2}", [close, fire]],
    ["title=not.ilike(any).{f*,d*}", [close]],
    ["or=(id.eq.1,title.eq.Fire Safety)", [firstAid, fire]],
    ["or=(id.in.(1,2),and(level.eq.advanced,price.gt.1000))", [firstAid, door, close]],
    ["and=(price.gt.100,not.or(id.eq.2,room_id.is.null))", [close]],
    ["not.or=(id.eq.1,id.eq.2)", [close, fire]],
    ["or=(tags.cs.{short},details->>hours.eq.8)", [firstAid, fire]],
    ['or=(title.eq."First Aid", title.not.like.*e*)', [firstAid]],
    ["price=gt.100&level=eq.beginner", [door]],
    ["id=gt.1&id=lt.3", [door]],
    ["slug=eq.first-aid", [firstAid]],
  ])("filter %s", async (query, expected) => {
    const search = query.split("&").map((part) => {
      const at = part.indexOf("=");
      return `${encodeURIComponent(part.slice(0, at))}=${encodeURIComponent(part.slice(at + 1))}`;
    });
    const response = await rest.raw(`/courses?select=title&order=id&${search.join("&")}`);
    const rows = await response.json();
    expect({ status: response.status, rows }).toEqual({ status: 200, rows: expected.map((title) => ({ title })) });
  });

  test("the client's own filter methods work", async () => {
    const { data } = await rest.anon
      .from("courses")
      .select("id")
      .contains("tags", ["security"])
      .overlaps("tags", ["licence", "x"])
      .rangeLt("dates", "[2031-01-01,2031-02-01)")
      .textSearch("words", "door", { type: "websearch", config: "english" })
      .likeAnyOf("title", ["D%", "F%"])
      .match({ level: "beginner" })
      .not("room_id", "is", null)
      .or("price.gt.1,id.eq.9")
      .filter("details->>exam", "eq", "true")
      .contains("details", { exam: true });
    expect(data).toEqual([{ id: 2 }]);
  });

  test("order takes directions, nulls and JSON paths", async () => {
    const ids = async (order: string): Promise<unknown> => {
      const rows: { id: number }[] = await (await rest.raw(`/courses?select=id&order=${order}`)).json();
      return rows.map(({ id }) => id);
    };
    expect(await ids("room_id.desc,id")).toEqual([4, 2, 3, 1]);
    expect(await ids("room_id.desc.nullslast,id.desc")).toEqual([3, 2, 1, 4]);
    expect(await ids("room_id.nullsfirst,id")).toEqual([4, 1, 2, 3]);
    expect(await ids("details->hours.desc")).toEqual([3, 2, 4, 1]);
    const { data } = await rest.anon.from("courses").select("id").order("level").order("price", { ascending: false });
    expect(data?.map(({ id }) => id)).toEqual([2, 1, 3, 4]);
  });

  describe("pages and counts", () => {
    test.each([
      ["?order=id&limit=2", {}, 200, "0-1/*"],
      ["?order=id&limit=2&offset=1", {}, 200, "1-2/*"],
      ["?order=id", { Range: "1-2" }, 200, "1-2/*"],
      ["?order=id&limit=4", { Range: "3-" }, 200, "3-3/*"],
      ["?id=gt.100", {}, 200, "*/*"],
      ["?limit=0", {}, 200, "*/*"],
      ["?offset=-3", {}, 200, "0-3/*"],
      ["?offset=100", {}, 200, "*/*"],
      ["?order=id&limit=2", { Prefer: "count=exact" }, 206, "0-1/4"],
      ["?order=id&offset=1", { Prefer: "count=exact" }, 206, "1-3/4"],
      ["", { Prefer: "count=exact" }, 200, "0-3/4"],
      ["?id=gt.100", { Prefer: "count=exact" }, 200, "*/0"],
      ["?limit=2", { Prefer: "count=estimated" }, 206, "0-1/4"],
      ["?offset=100", { Prefer: "count=exact" }, 416, "*/4"],
      ["?limit=-1", {}, 416, null],
      ["", { Range: "3-1" }, 416, null],
    ])("%s %j answers %i with Content-Range %s", async (query, headers, status, range) => {
      const response = await rest.raw(`/courses${query}`, { headers });
      expect({ status: response.status, range: response.headers.get("content-range") }).toEqual({ status, range });
      if (status === 416)
        expect(await response.json()).toMatchObject({ code: "PGRST103", message: "Requested range not satisfiable", hint: null });
      if ("Prefer" in headers && status < 300) expect(response.headers.get("preference-applied")).toBe(headers.Prefer);
    });

    test("supabase-js reads the counts", async () => {
      const page = await rest.anon.from("courses").select("id", { count: "exact" }).order("id").range(1, 2);
      expect({ data: page.data, count: page.count }).toEqual({ data: [{ id: 2 }, { id: 3 }], count: 4 });
      const head = await rest.anon.from("courses").select("*", { count: "exact", head: true }).gt("id", 2);
      expect({ data: head.data, count: head.count, status: head.status }).toEqual({ data: null, count: 2, status: 200 });
      const planned = await rest.anon.from("courses").select("id", { count: "planned" });
      expect(planned.count).toBeGreaterThan(0);
    });

    test("no response has more rows than max_rows", async () => {
      const few = await openRestFixture(open, { max_rows: 3 });
      const { data, count } = await few.anon.from("courses").select("id", { count: "exact" }).limit(100);
      expect({ rows: data?.length, count }).toEqual({ rows: 3, count: 4 });
      expect((await few.anon.from("courses").select("id", { count: "estimated" })).count).toBeGreaterThanOrEqual(4);
    });

    test("no embedded list has more rows than max_rows", async () => {
      const few = await openRestFixture(open, { max_rows: 1 });
      for (const select of ["id,reviews(author)", "id,reviews(author)&reviews.limit=100"]) {
        const response = await few.raw(`/courses?id=eq.1&select=${select}&reviews.order=author`);
        expect(await response.json()).toEqual([{ id: 1, reviews: [{ author: "Kim" }] }]);
      }
    });
  });

  test("single requires one row, maybeSingle at most one", async () => {
    expect((await rest.anon.from("rooms").select().eq("id", "r1").single()).data).toEqual({ id: "r1", building: "North", seats: 12 });
    const none = await rest.anon.from("rooms").select().eq("id", "x").single();
    expect({ status: none.status, error: none.error }).toMatchObject({
      status: 406,
      error: {
        code: "PGRST116",
        message: "Cannot coerce the result to a single JSON object",
        details: "The result contains 0 rows",
        hint: null,
      },
    });
    expect((await rest.anon.from("rooms").select().single()).error?.details).toBe("The result contains 3 rows");
    expect(await rest.anon.from("rooms").select().eq("id", "x").maybeSingle()).toMatchObject({ data: null, error: null });
    expect((await rest.anon.from("rooms").select().maybeSingle()).error?.code).toBe("PGRST116");
  });

  test("CSV has a header, quotes where needed, and an empty field for null", async () => {
    const { data } = await rest.anon.from('Odd "name".s').select('"a,b",select,"x->y"').order('"a,b"').csv();
    expect(data).toBe('"a,b",select,x->y\n1,first,arrow\n2,second,');
    expect((await rest.raw("/rooms?id=eq.x", { headers: { Accept: "text/csv" } })).headers.get("content-type")).toBe(
      "text/csv; charset=utf-8",
    );
  });

  test("GeoJSON is a collection of the features that PostGIS makes of rows", async () => {
    const read = () => rest.raw("/rooms?select=id&order=id&limit=1", { headers: { Accept: "application/geo+json" } });
    const without = await read();
    expect({ status: without.status, body: await without.json() }).toMatchObject({ status: 404, body: { code: "42883" } });
    // PostGIS is not installed here; this function has the signature of its own.
    await rest.database.transaction((tx) =>
      tx.script(`create function extensions.st_asgeojson(r record, column_name text default '', digits integer default 9) returns text
        language plpgsql immutable as $$ begin
          return json_build_object('type', 'Feature', 'properties', row_to_json(r));
        end $$`),
    );
    const response = await read();
    expect(response.headers.get("content-type")).toBe("application/geo+json; charset=utf-8");
    expect(await response.json()).toEqual({ type: "FeatureCollection", features: [{ type: "Feature", properties: { id: "r1" } }] });
  });

  test("null members can be stripped", async () => {
    const { data } = await rest.anon.from("teachers").select("name,mentor_id").eq("id", 1).stripNulls();
    expect(data).toEqual([{ name: "Ada" }]);
  });

  test("views and computed columns are read like tables and columns", async () => {
    expect((await rest.anon.from("advanced_courses").select("name").order("course_id")).data).toEqual([{ name: close }, { name: fire }]);
    expect((await rest.anon.from("courses").select("slug").eq("slug", "fire-safety")).data).toEqual([{ slug: "fire-safety" }]);
  });

  test("an empty select means all columns", async () => {
    expect(await (await rest.raw("/teachers?select=&id=eq.1")).json()).toEqual([{ id: 1, name: "Ada", mentor_id: null }]);
  });

  test("another exposed schema is selected by its profile header", async () => {
    expect((await rest.anon.schema("library").from("books").insert({ title: "Knots" }).select()).data).toEqual([{ id: 1, title: "Knots" }]);
    expect((await rest.anon.schema("library").from("books").select("title")).data).toEqual([{ title: "Knots" }]);
    expect((await rest.raw("/books", { headers: { "Accept-Profile": "library" } })).headers.get("content-profile")).toBe("library");
    expect((await rest.raw("/rooms")).headers.get("content-profile")).toBe("public");
  });
});
