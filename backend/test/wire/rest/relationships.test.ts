import { beforeAll, expect, test } from "vitest";
import { describeDatabases } from "../../database.ts";
import { openRestFixture, type RestFixture } from "./fixture.ts";

describeDatabases("a relationship", (open) => {
  let rest: RestFixture;
  beforeAll(async () => {
    rest = await openRestFixture(open, { extra_search_path: ["public", "inner_views"] });
    await rest.database.transaction((tx) =>
      tx.script(`
        create table countries (id integer primary key, name text);
        create table capitals (id integer primary key, name text, country_id integer unique references countries);
        create table rivers (id integer primary key, country integer references countries, name text);
        insert into countries values (1, 'Wales'), (2, 'Malta');
        insert into capitals values (1, 'Cardiff', 1), (2, 'Valletta', 2);

        create table people (id integer primary key, name text);
        create table tasks (id integer primary key, title text);
        create table people_tasks (person_id integer references people, task_id integer references tasks, primary key (person_id, task_id));
        create view assignments as select person_id, task_id from people_tasks;
        insert into people values (1, 'Ada'), (2, 'Bo');
        insert into tasks values (1, 'Paint'), (2, 'Sing');
        insert into people_tasks values (1, 1), (1, 2), (2, 2);

        create view doubled as select id, room_id as room, room_id as place from courses;

        create schema inner_views;
        create view inner_views.lessons as select id, title, room_id from courses;
        create view outer_lessons as select id, title, room_id from inner_views.lessons;

        create table halls (id integer, wing integer unique, primary key (id, wing));
        create table keys_of_halls (hall integer, wing integer, label text, primary key (hall),
          foreign key (hall, wing) references halls);
        insert into halls values (1, 1);
        insert into keys_of_halls values (1, 1, 'red');
        grant select on countries, capitals, rivers, people, tasks, people_tasks, assignments, doubled, outer_lessons, halls, keys_of_halls to anon;
      `),
    );
    await rest.reload();
  });

  const read = async (path: string): Promise<unknown> => {
    const response = await rest.raw(path);
    return { status: response.status, body: await response.json() };
  };
  const rows = (...body: unknown[]) => ({ status: 200, body });

  test("may be named by the column that the other table refers to", async () => {
    expect(await read("/capitals?select=name,country_id(name)&id=eq.1")).toEqual(rows({ name: "Cardiff", country_id: { name: "Wales" } }));
    expect(await read("/tasks?select=title,id(person_id)&id=eq.1")).toMatchObject({ status: 200 });
    expect(await read("/people?select=name,id(task_id)&id=eq.2")).toEqual(rows({ name: "Bo", id: [{ task_id: 2 }] }));
    expect(await read("/countries?select=name,id(name)")).toMatchObject({ status: 300, body: { code: "PGRST201" } });
  });

  test("that is one-to-one may be named by the referenced column", async () => {
    await rest.database.transaction((tx) => tx.script("drop table rivers"));
    await rest.reload();
    expect(await read("/countries?select=name,id(name)&id=eq.2")).toEqual(rows({ name: "Malta", id: { name: "Valletta" } }));
  });

  test("many-to-many leads through a table or a view of it, which the hint chooses", async () => {
    const paint = { name: "Ada", tasks: [{ title: "Paint" }, { title: "Sing" }] };
    expect(await read("/people?select=name,tasks!assignments(title)&id=eq.1&tasks.order=id")).toEqual(rows(paint));
    expect(await read("/people?select=name,tasks!people_tasks(title)&id=eq.1&tasks.order=id")).toEqual(rows(paint));
    expect(await read("/people?select=name,tasks(title)")).toMatchObject({ status: 300, body: { code: "PGRST201" } });
  });

  test("through a view that shows a key twice may use either column", async () => {
    expect(await read("/doubled?select=id,rooms!room(building)&id=eq.1")).toEqual(rows({ id: 1, rooms: { building: "North" } }));
    expect(await read("/doubled?select=id,rooms!place(building)&id=eq.1")).toEqual(rows({ id: 1, rooms: { building: "North" } }));
    expect(await read("/doubled?select=id,place(building)&id=eq.1")).toEqual(rows({ id: 1, place: { building: "North" } }));
  });

  test("leads through a view of a schema in the search path", async () => {
    expect(await read("/outer_lessons?select=title,rooms(building)&id=eq.1")).toEqual(
      rows({ title: "First Aid", rooms: { building: "North" } }),
    );
  });

  test("is one-to-one only if exactly the columns of the foreign key are unique", async () => {
    expect(await read("/halls?select=id,keys_of_halls(label)")).toEqual(rows({ id: 1, keys_of_halls: [{ label: "red" }] }));
  });
});
