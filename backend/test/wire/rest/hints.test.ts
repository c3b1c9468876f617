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

  test("is refused without a hint where the caller's role does not exist", async () => {
    const token = await rest.jwt.sign({ role: "nobody_at_all", exp: Math.floor(Date.now() / 1000) + 60 });
    const response = await rest.raw("/course", { headers: { Authorization: `Bearer ${token}` } });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: "PGRST205", hint: null });
  });
});
