import { beforeAll, expect, test } from "vitest";
import { describeDatabases } from "../../database.ts";
import { openRestFixture, type RestFixture } from "./fixture.ts";

const FUNCTIONS = `
create function room_count() returns bigint language sql stable begin atomic select count(*) from public.rooms; end;
create function all_grades() returns setof public.grades language sql stable begin atomic select * from public.grades; end;
create function counted_rooms() returns bigint language sql stable begin atomic select public.room_count(); end;
create function unparsed() returns bigint language plpgsql stable as $$ begin return (select count(*) from public.rooms); end $$;
create function review_count(public.courses) returns bigint language sql stable
  begin atomic select count(*) from public.reviews where course_id = $1.id; end;
create view room_numbers as select id, public.room_count() as total from public.rooms;
create view rooms_of_view as select * from room_numbers;
grant select on room_numbers, rooms_of_view to anon;
`;

describeDatabases("the tables that a request reads", (open) => {
  let rest: RestFixture;
  beforeAll(async () => {
    rest = await openRestFixture(open);
    await rest.database.transaction((tx) => tx.script(FUNCTIONS));
    await rest.reload();
  });

  test.each<[string, path: string, tables: string[]]>([
    ["a table", "/courses?select=id", ["public.courses"]],
    ["an embedded table", "/courses?select=id,rooms(building)", ["public.courses", "public.rooms"]],
    [
      "a junction table",
      "/courses?select=id,teachers(name,exams!exams_examiner_id_fkey(sitting))",
      ["public.course_teachers", "public.courses", "public.exams", "public.teachers"],
    ],
    ["the table behind a view", "/grades?select=id", ["hidden.grades"]],
    ["tables of functions and views inside views", "/rooms_of_view?select=id", ["public.rooms"]],
    ["a function with a parsed body", "/rpc/room_count", ["public.rooms"]],
    ["a function that calls another", "/rpc/counted_rooms", ["public.rooms"]],
    ["a function that reads a view, with an embed", "/rpc/all_grades?select=id,courses(title)", ["hidden.grades", "public.courses"]],
    ["a function in PL/pgSQL", "/rpc/unparsed", ["*"]],
    ["a computed column", "/courses?select=id,review_count", ["public.courses", "public.reviews"]],
    ["a filter by a computed column", "/courses?select=id&or=(id.eq.1,review_count.gt.1)", ["public.courses", "public.reviews"]],
    ["a computed relationship whose body is a text", "/courses?select=id,best_review(stars)", ["*", "public.courses"]],
  ])("include %s", async (_, path, tables) => {
    const relations = new Set<string>();
    const response = await rest.raw(path, {}, { relations });
    expect(response.status, await response.text()).toBe(200);
    expect([...relations].toSorted()).toEqual(tables);
  });

  test("are reported for every request, also if its SQL is cached", async () => {
    for (let time = 0; time < 2; time += 1) {
      const relations = new Set(["public.rooms"]);
      expect((await rest.raw("/courses?select=id", {}, { relations })).status).toBe(200);
      expect([...relations]).toEqual(["public.rooms", "public.courses"]);
    }
  });
});
