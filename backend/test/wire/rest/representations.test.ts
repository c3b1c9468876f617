import { beforeAll, expect, test } from "vitest";
import { describeDatabases } from "../../database.ts";
import { openRestFixture, type RestFixture } from "./fixture.ts";

describeDatabases("a column whose type is a domain", (open) => {
  let rest: RestFixture;
  beforeAll(async () => {
    rest = await openRestFixture(open);
    // The casts of PostgREST's documentation: a colour is a number in the table and "#rrggbb" in the API.
    await rest.database.transaction((tx) =>
      tx.script(`
        create domain color as integer default 255 check (value between 0 and 16777215);
        create function color(text) returns color language sql immutable strict as $$
          select ('x' || lpad(replace($1, '#', ''), 8, '0'))::bit(32)::integer $$;
        create function color(json) returns color language sql immutable strict as $$ select public.color($1 #>> '{}') $$;
        create function color_to_json(color) returns json language sql immutable strict as $$
          select to_json('#' || lpad(upper(to_hex($1)), 6, '0')) $$;
        create cast (color as json) with function color_to_json(color) as implicit;
        create cast (json as color) with function color(json) as implicit;
        create cast (text as color) with function color(text) as implicit;
        create domain searchable as tsvector;
        create table paints (
          id integer primary key, name text, shade color, other color default 1, words searchable, group_id integer references paints
        );
        insert into paints values (1, 'red', 16711680, 1, 'bright red', null), (2, 'blue', 255, 1, 'dark blue', 1);
        grant all on paints to anon;
        create function paints_above(minimum integer) returns setof paints language sql stable as $$ select * from paints where id > minimum $$;
      `),
    );
    await rest.reload();
  });

  const rows = async (path: string): Promise<unknown> => (await rest.raw(path)).json();

  test("is shown by the domain's cast to json, in rows, embeds, spreads and functions", async () => {
    expect(await rows("/paints?select=shade&id=eq.1")).toEqual([{ shade: "#FF0000" }]);
    expect(await rows("/paints?id=eq.1")).toMatchObject([{ id: 1, name: "red", shade: "#FF0000", other: "#000001" }]);
    expect(await rows("/paints?select=c:shade&id=eq.2")).toEqual([{ c: "#0000FF" }]);
    expect(await rows("/paints?select=id,up:group_id(shade)&id=eq.2")).toEqual([{ id: 2, up: { shade: "#FF0000" } }]);
    expect(await rows("/paints?select=id,...group_id(shade)&id=eq.2&order=group_id(shade)")).toEqual([{ id: 2, shade: "#FF0000" }]);
    expect(await rows("/rpc/paints_above?minimum=1&select=shade")).toEqual([{ shade: "#0000FF" }]);
    expect(await rows("/paints?select=shade&order=shade")).toEqual([{ shade: "#0000FF" }, { shade: "#FF0000" }]);
  });

  test("is filtered by the domain's cast from text", async () => {
    const ids = async (filter: string): Promise<unknown> => rows(`/paints?select=id&order=id&${filter}`);
    expect(await ids("shade=eq.%23FF0000")).toEqual([{ id: 1 }]);
    expect(await ids("shade=lt.%23FF0000")).toEqual([{ id: 2 }]);
    expect(await ids("shade=in.(%23FF0000,%230000FF)")).toEqual([{ id: 1 }, { id: 2 }]);
    expect(await ids("shade=eq(any).{%23FF0000}")).toEqual([{ id: 1 }]);
    expect(await ids("or=(shade.eq.%230000FF,id.eq.9)")).toEqual([{ id: 2 }]);
    expect(await ids("shade=not.is.null")).toEqual([{ id: 1 }, { id: 2 }]);
  });

  test("is written by the domain's cast from json", async () => {
    const { anon } = rest;
    expect((await anon.from("paints").insert({ id: 3, shade: "#000100" }).select("shade")).data).toEqual([{ shade: "#000100" }]);
    const many = [
      { id: 4, shade: "#000200" },
      { id: 5, shade: null },
    ];
    expect((await anon.from("paints").insert(many).select("shade")).data).toEqual([{ shade: "#000200" }, { shade: null }]);
    expect((await anon.from("paints").upsert({ id: 5, shade: "#000300" }).select("shade")).data).toEqual([{ shade: "#000300" }]);
    expect((await anon.from("paints").update({ shade: "#00FF00" }).eq("shade", "#000300").select("id,shade")).data).toEqual([
      { id: 5, shade: "#00FF00" },
    ]);
    await anon.from("paints").delete().gt("id", 2);
  });

  test("takes the default of the domain with missing=default, in an insert and in an update", async () => {
    const send = async (method: string, path: string, body: unknown) => {
      const headers = { "Content-Type": "application/json", Prefer: "missing=default, return=representation" };
      const response = await rest.raw(path, { method, body: JSON.stringify(body), headers });
      return { applied: response.headers.get("preference-applied"), body: await response.json() };
    };
    const applied = "missing=default, return=representation";
    const selected = "columns=id,name,shade,other&select=id,name,shade,other";
    expect(await send("POST", `/paints?${selected}`, [{ id: 6, name: "plain" }])).toEqual({
      applied,
      body: [{ id: 6, name: "plain", shade: "#0000FF", other: "#000001" }],
    });
    await rest.anon.from("paints").update({ shade: "#111111", other: "#222222" }).eq("id", 6);
    expect(await send("PATCH", `/paints?id=eq.6&${selected}`, { id: 6, shade: "#333333" })).toEqual({
      applied,
      body: [{ id: 6, name: null, shade: "#333333", other: "#000001" }],
    });
    expect(await send("PATCH", `/paints?id=eq.6&${selected}`, { id: 6, other: "#444444" })).toEqual({
      applied,
      body: [{ id: 6, name: null, shade: "#0000FF", other: "#444444" }],
    });
    await rest.anon.from("paints").delete().gt("id", 2);
  });

  test("over tsvector is searched as it is", async () => {
    expect(await rows("/paints?select=id&words=fts.dark")).toEqual([{ id: 2 }]);
    expect(await rows("/paints?select=id&words=plfts(english).red")).toEqual([{ id: 1 }]);
  });
});
