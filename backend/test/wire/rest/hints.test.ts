import type { SupabaseClient } from "@supabase/supabase-js";
import { beforeAll, expect, test } from "vitest";
import { describeDatabases } from "../../database.ts";
import { openRestFixture, type RestFixture } from "./fixture.ts";

describeDatabases("a name that is not found", (open) => {
  let rest: RestFixture;
  beforeAll(async () => {
    rest = await openRestFixture(open);
    await rest.database.transaction((tx) =>
      tx.script(`
        create function payroll(year integer) returns integer language sql as $$ select 1 $$;
        create function payroll_of(person integer, year integer) returns integer language sql as $$ select 1 $$;
        revoke execute on function payroll, payroll_of from public;
        grant execute on function payroll, payroll_of to service_role;
      `),
    );
    await rest.reload();
  });

  const table = async (client: SupabaseClient, name: string) => (await client.from(name).select()).error;
  const call = async (client: SupabaseClient, name: string, args?: object) => (await client.rpc(name, args)).error;

  test("gets a hint with the similar table if the caller has rights on it", async () => {
    const { anon, staff, admin } = rest;
    expect(await table(anon, "course")).toMatchObject({ code: "PGRST205", hint: "Perhaps you meant the table 'public.courses'" });
    expect(await table(anon, "COURSE")).toMatchObject({ hint: "Perhaps you meant the table 'public.courses'" });
    expect(await table(anon, "nothing_like_it")).toMatchObject({ code: "PGRST205", hint: null });
    expect(await table(anon, "x".repeat(5000))).toMatchObject({ code: "PGRST205", hint: null });
    expect(await table(anon, "secret")).toMatchObject({ code: "PGRST205", hint: null });
    expect(await table(staff, "secret")).toMatchObject({ hint: "Perhaps you meant the table 'public.secrets'" });
    expect(await table(admin, "secret")).toMatchObject({ hint: "Perhaps you meant the table 'public.secrets'" });
    expect((await anon.schema("library").from("book").select()).error).toMatchObject({
      hint: "Perhaps you meant the table 'library.books'",
    });
    expect((await anon.from("roms").insert({ id: "r9" })).error).toMatchObject({ hint: "Perhaps you meant the table 'public.rooms'" });
  });

  test("gets a hint with the similar function if the caller may call it", async () => {
    const { anon, admin } = rest;
    expect(await call(anon, "shot", { words: "x" })).toMatchObject({
      code: "PGRST202",
      hint: "Perhaps you meant to call the function public.shout",
    });
    expect(await call(anon, "shout", { word: "x" })).toMatchObject({ hint: "Perhaps you meant to call the function public.shout(words)" });
    expect(await call(anon, "add", { b: 1 })).toMatchObject({ hint: "Perhaps you meant to call the function public.add(a, b)" });
    expect(await call(anon, "nothing_like_it")).toMatchObject({
      message: "Could not find the function public.nothing_like_it without parameters in the schema cache",
      hint: null,
    });
    expect(await call(anon, "payrol", { year: 1 })).toMatchObject({ code: "PGRST202", hint: null });
    expect(await call(anon, "payroll", { years: 1 })).toMatchObject({ code: "PGRST202", hint: null });
    expect(await call(admin, "payrol", { year: 1 })).toMatchObject({ hint: "Perhaps you meant to call the function public.payroll" });
    expect(await call(admin, "payroll_of", { person: 1, yr: 1 })).toMatchObject({
      hint: "Perhaps you meant to call the function public.payroll_of(person, year)",
    });
  });

  test("gets a hint with the similar relation, and for a column Postgres's own hint", async () => {
    const { anon } = rest;
    expect((await anon.from("courses").select("id, room(*)")).error).toMatchObject({
      code: "PGRST200",
      hint: "Perhaps you meant 'rooms' instead of 'room'.",
    });
    expect((await anon.from("courses").select("id, rooms!nope(*)")).error).toMatchObject({ code: "PGRST200", hint: null });
    expect((await anon.from("rooms").select("seat")).error).toMatchObject({
      code: "42703",
      hint: 'Perhaps you meant to reference the column "rooms.seats".',
    });
    expect((await anon.from("rooms").insert({ seat: 1 })).error).toMatchObject({ code: "PGRST204", hint: null });
  });

  test("gets a hint with a similar table if its own has no relationships", async () => {
    await rest.database.transaction((tx) => tx.script("create table room (id integer); grant select on room to anon"));
    await rest.reload();
    expect((await rest.anon.from("room").select("courses(*)")).error).toMatchObject({
      hint: "Perhaps you meant 'rooms' instead of 'room'.",
    });
  });

  test("gets the same details as in PostgREST", async () => {
    const { anon } = rest;
    expect((await anon.from("rooms").select("teachers(*)")).error).toMatchObject({
      details: "Searched for a foreign key relationship between 'rooms' and 'teachers' in the schema 'public', but no matches were found.",
    });
    expect((await anon.from("courses").select("rooms!nope(*)")).error).toMatchObject({
      details:
        "Searched for a foreign key relationship between 'courses' and 'rooms' using the hint 'nope' in the schema 'public', but no matches were found.",
    });
    expect(await call(anon, "shout", { words: "x", b: 1, a: 2 })).toMatchObject({
      message: "Could not find the function public.shout(a, b, words) in the schema cache",
      details:
        "Searched for the function public.shout with parameters a, b, words or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache.",
    });
    expect(await (await rest.raw("/rpc/shout?word=x")).json()).toMatchObject({
      details: "Searched for the function public.shout with parameter word, but no matches were found in the schema cache.",
    });
    expect(await call(anon, "shout")).toMatchObject({
      details:
        "Searched for the function public.shout without parameters or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache.",
    });
    const text = await rest.raw("/rpc/shout", { method: "POST", body: "x", headers: { "Content-Type": "text/plain" } });
    expect(await text.json()).toMatchObject({
      message: "Could not find the function public.shout in the schema cache",
      details:
        "Searched for the function public.shout with a single unnamed text parameter, but no matches were found in the schema cache.",
      hint: null,
    });
  });

  test("never gets the refused call itself as a hint", async () => {
    expect(await (await rest.raw("/rpc/echo_json")).json()).toMatchObject({ code: "PGRST202", hint: null });
  });

  test("that is ambiguous gets the functions with the fewest arguments first", async () => {
    await rest.database.transaction((tx) =>
      tx.script(`create function choose(a integer, b integer default 1, c integer default 1) returns integer language sql as $$ select 3 $$;
        create function choose(a integer) returns integer language sql as $$ select 1 $$;
        create function choose(a integer, b integer default 1) returns integer language sql as $$ select 2 $$`),
    );
    await rest.reload();
    expect(await call(rest.anon, "choose", { a: 1 })).toMatchObject({
      code: "PGRST203",
      message:
        "Could not choose the best candidate function between: public.choose(a => integer), public.choose(a => integer, b => integer), public.choose(a => integer, b => integer, c => integer)",
    });
  });

  test("is refused without a hint where the caller's role does not exist", async () => {
    const token = await rest.jwt.sign({ role: "nobody_at_all", exp: Math.floor(Date.now() / 1000) + 60 });
    const response = await rest.raw("/course", { headers: { Authorization: `Bearer ${token}` } });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: "PGRST205", hint: null });
  });

  test("is looked up in turn and within the budget if an anonymous caller from the network guesses it", async () => {
    let running = 0;
    let most = 0;
    const watched = await openRestFixture(async (options) => {
      const database = await open(options);
      return {
        ...database,
        async transaction(work, limits) {
          running += 1;
          most = Math.max(most, running);
          try {
            return await database.transaction(work, limits);
          } finally {
            running -= 1;
          }
        },
      };
    });
    await watched.reload();
    most = 0;
    const guess = () => watched.raw("/course", {}, { clientAddress: "192.0.2.9", inProcess: false });
    const responses = await Promise.all(Array.from({ length: 20 }, guess));
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(404));
    if (watched.database.kind === "pglite") expect(most).toBe(1);
    expect(await responses[0]?.json()).toMatchObject({ hint: "Perhaps you meant the table 'public.courses'" });
  });
});
