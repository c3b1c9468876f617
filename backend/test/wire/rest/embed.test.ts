import { beforeAll, describe, expect, test } from "vitest";
import { describeDatabases } from "../../database.ts";
import { openRestFixture, type RestFixture } from "./fixture.ts";

describeDatabases("embedding through supabase-js", (open) => {
  let rest: RestFixture;
  beforeAll(async () => {
    rest = await openRestFixture(open, { aggregates_enabled: true, plan_enabled: true });
  });

  const rows = async (path: string): Promise<unknown> => {
    const response = await rest.raw(path);
    const body: unknown = await response.json();
    expect({ ok: response.ok, body }).toEqual({ ok: true, body });
    return body;
  };

  test("to-one, to-many, many-to-many and one-to-one, nested and named", async () => {
    const { data, error } = await rest.anon
      .from("courses")
      .select("title, place:rooms(building), reviews(author), teachers(name, mentor:mentor_id(name)), exams(sitting, exam_results(passed))")
      .order("id")
      .order("name", { referencedTable: "teachers" })
      .order("author", { referencedTable: "reviews", ascending: false })
      .limit(2);
    expect(error).toBeNull();
    expect(data).toEqual([
      {
        title: "First Aid",
        place: { building: "North" },
        reviews: [{ author: "Lee" }, { author: "Kim" }],
        teachers: [
          { name: "Ada", mentor: null },
          { name: "Bo", mentor: { name: "Ada" } },
        ],
        exams: [{ sitting: 1, exam_results: { passed: 9 } }],
      },
      {
        title: "Door Supervisor",
        place: { building: "South" },
        reviews: [{ author: "Max" }],
        teachers: [{ name: "Bo", mentor: { name: "Ada" } }],
        exams: [{ sitting: 1, exam_results: null }],
      },
    ]);
  });

  test("hints choose by constraint, by column and by junction", async () => {
    expect(
      await rows("/exams?select=by:teachers!exams_examiner_id_fkey(name),deputy:teachers!deputy_id(name),examiner_id(id)&order=course_id"),
    ).toEqual([
      { by: { name: "Ada" }, deputy: { name: "Bo" }, examiner_id: { id: 1 } },
      { by: { name: "Bo" }, deputy: null, examiner_id: { id: 2 } },
    ]);
    expect(await rows("/courses?select=teachers!course_teachers(name)&id=eq.2")).toEqual([{ teachers: [{ name: "Bo" }] }]);
    expect(await rows("/exams?select=exams_deputy_id_fkey(name)&course_id=eq.1")).toEqual([{ exams_deputy_id_fkey: { name: "Bo" } }]);
  });

  test("a table embeds itself: many by its name, one by its column", async () => {
    expect(await rows("/teachers?select=name,pupils:teachers(name),mentor:mentor_id(name)&id=lt.3&order=id")).toEqual([
      { name: "Ada", pupils: [{ name: "Bo" }, { name: "Cy" }], mentor: null },
      { name: "Bo", pupils: [], mentor: { name: "Ada" } },
    ]);
    expect(await rows("/teachers?select=pupils:teachers!mentor_id(name)&id=eq.1")).toEqual([{ pupils: [{ name: "Bo" }, { name: "Cy" }] }]);
  });

  test("embeds have their own filters, order and limit", async () => {
    const { data } = await rest.anon
      .from("courses")
      .select("id, reviews(author)")
      .gte("reviews.stars", 4)
      .or("author.eq.Kim,author.eq.Max", { referencedTable: "reviews" })
      .order("id")
      .order("stars", { referencedTable: "reviews" })
      .limit(1, { referencedTable: "reviews" });
    expect(data).toEqual([
      { id: 1, reviews: [{ author: "Kim" }] },
      { id: 2, reviews: [{ author: "Max" }] },
      { id: 3, reviews: [] },
      { id: 4, reviews: [] },
    ]);
    expect(await rows("/courses?select=id,teachers(name)&id=eq.1&teachers.order=name.desc&teachers.limit=1&teachers.offset=1")).toEqual([
      { id: 1, teachers: [{ name: "Ada" }] },
    ]);
    expect(await rows("/teachers?select=courses(reviews(author))&courses.reviews.stars=eq.3&courses.id=eq.1&id=eq.1")).toEqual([
      { courses: [{ reviews: [{ author: "Lee" }] }] },
    ]);
  });

  test("an inner embed keeps only its parents, also in counts", async () => {
    const inner = await rest.anon
      .from("courses")
      .select("id, rooms!inner(building)", { count: "exact" })
      .eq("rooms.building", "South")
      .order("id");
    expect({ data: inner.data, count: inner.count }).toEqual({
      data: [
        { id: 2, rooms: { building: "South" } },
        { id: 3, rooms: { building: "South" } },
      ],
      count: 2,
    });
    expect(await rows("/courses?select=id,reviews!inner()&reviews.stars=lt.5&order=id")).toEqual([{ id: 1 }, { id: 2 }]);
    expect(await rows("/rooms?select=id,courses!inner(id,teachers!inner(name))&courses.teachers.name=eq.Cy")).toEqual([
      { id: "r2", courses: [{ id: 3, teachers: [{ name: "Cy" }] }] },
    ]);
  });

  test("parents are filtered by the presence of an embed and ordered by a to-one embed", async () => {
    expect(await rows("/courses?select=id,reviews()&reviews=is.null")).toEqual([{ id: 4 }]);
    expect(await rows("/courses?select=id,rooms()&rooms=not.is.null&order=id")).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
    expect(
      await rows("/courses?select=id,reviews(),rooms()&rooms.building=eq.North&or=(reviews.is.null,rooms.not.is.null)&order=id"),
    ).toEqual([{ id: 1 }, { id: 4 }]);
    expect(await rows("/courses?select=id,rooms(id)&order=rooms(seats).desc.nullslast,id.desc")).toEqual([
      { id: 3, rooms: { id: "r2" } },
      { id: 2, rooms: { id: "r2" } },
      { id: 1, rooms: { id: "r1" } },
      { id: 4, rooms: null },
    ]);
    const { data } = await rest.anon
      .from("courses")
      .select("id, ...rooms(building)")
      .order("rooms(building)", { ascending: true })
      .order("id")
      .limit(1);
    expect(data).toEqual([{ id: 1, building: "North" }]);
  });

  test("spreads put one row's columns, or lists of many rows' columns, into the parent", async () => {
    expect(await rows("/courses?select=title,...rooms(place:building,*)&id=in.(1,4)&order=id")).toEqual([
      { title: "First Aid", place: "North", id: "r1", building: "North", seats: 12 },
      { title: "Fire Safety", place: null, id: null, building: null, seats: null },
    ]);
    expect(await rows("/courses?select=title,...reviews(author,stars)&reviews.order=stars&id=in.(1,4)&order=id")).toEqual([
      { title: "First Aid", author: ["Lee", "Kim"], stars: [3, 5] },
      { title: "Fire Safety", author: [], stars: [] },
    ]);
    expect(await rows("/reviews?select=author,...courses(title,...rooms(building),teachers(name))&id=eq.3")).toEqual([
      { author: "Max", title: "Door Supervisor", building: "South", teachers: [{ name: "Bo" }] },
    ]);
  });

  test("views embed and are embedded through the keys they expose", async () => {
    expect(
      await rows("/advanced_courses?select=name,rooms(building),reviews(author),teachers(name)&teachers.order=name&order=course_id"),
    ).toEqual([
      { name: "Close Protection", rooms: { building: "South" }, reviews: [{ author: "Nia" }], teachers: [{ name: "Ada" }, { name: "Cy" }] },
      { name: "Fire Safety", rooms: null, reviews: [], teachers: [] },
    ]);
    expect(await rows("/rooms?select=id,advanced_courses(name)&id=eq.r2")).toEqual([
      { id: "r2", advanced_courses: [{ name: "Close Protection" }] },
    ]);
  });

  test("computed relationships embed like foreign keys", async () => {
    expect(await rows("/courses?select=id,best_review(author)&order=id&limit=2")).toEqual([
      { id: 1, best_review: { author: "Kim" } },
      { id: 2, best_review: { author: "Max" } },
    ]);
    expect(await rows("/courses?select=id,slug,best_review(author)&best_review.stars=eq.5&best_review=not.is.null&order=id")).toEqual([
      { id: 1, slug: "first-aid", best_review: { author: "Kim" } },
      { id: 3, slug: "close-protection", best_review: { author: "Nia" } },
    ]);
  });

  test("related rows are counted, with or without aggregates", async () => {
    const expected = [
      { id: 1, reviews: [{ count: 2 }] },
      { id: 4, reviews: [{ count: 0 }] },
    ];
    const { data } = await rest.anon.from("courses").select("id, reviews(count)").in("id", [1, 4]).order("id");
    expect(data).toEqual(expected);
    expect(await rows("/courses?select=id,reviews(count())&id=in.(1,4)&order=id")).toEqual(expected);
  });

  describe("aggregates", () => {
    test.each([
      ["/courses?select=count()", [{ count: 4 }]],
      [
        "/courses?select=level,count(),total:price.sum(),price.max()::int,least:price.min(),mean:price.avg()::int&order=level",
        [
          { level: "beginner", count: 2, total: 330, max: 250, least: 80, mean: 165 },
          { level: "advanced", count: 2, total: 1920, max: 1800, least: 120, mean: 960 },
        ],
      ],
      [
        "/courses?select=details->>exam,hours:details->hours::int.sum()&order=details->>exam",
        [
          { exam: "true", hours: 180 },
          { exam: null, hours: 14 },
        ],
      ],
      [
        "/rooms?select=building,courses(price.sum())&order=building,id&seats=gt.8",
        [
          { building: "North", courses: [{ sum: 80 }] },
          { building: "South", courses: [{ sum: 2050 }] },
        ],
      ],
      [
        "/courses?select=...rooms(building),count()&order=rooms(building)&room_id=not.is.null",
        [
          { building: "North", count: 1 },
          { building: "South", count: 2 },
        ],
      ],
      [
        "/reviews?select=stars,...courses(price.sum(),n:count())&order=stars",
        [
          { stars: 3, sum: 80, n: 1 },
          { stars: 4, sum: 250, n: 1 },
          { stars: 5, sum: 1880, n: 2 },
        ],
      ],
      ["/courses?select=rooms(building),price.sum()&room_id=eq.r2", [{ rooms: { building: "South" }, sum: 2050 }]],
      [
        "/reviews?select=stars.sum(),...courses(title,rooms(building))&order=courses(title)",
        [
          { sum: 5, title: "Close Protection", rooms: { building: "South" } },
          { sum: 4, title: "Door Supervisor", rooms: { building: "South" } },
          { sum: 8, title: "First Aid", rooms: { building: "North" } },
        ],
      ],
      [
        "/reviews?select=count(),...courses(...rooms(building),teachers(name))&course_id=eq.2",
        [{ count: 1, building: "South", teachers: [{ name: "Bo" }] }],
      ],
    ])("%s", async (path, expected) => {
      expect(await rows(path)).toEqual(expected);
    });

    test("a count counts groups, and lists cannot be aggregated into their parent", async () => {
      const counted = await rest.raw("/courses?select=level,count()&limit=1", { headers: { Prefer: "count=exact" } });
      expect({ status: counted.status, range: counted.headers.get("content-range") }).toEqual({ status: 206, range: "0-0/2" });
      expect((await rest.raw("/courses?select=id,...reviews(stars.sum())")).status).toBe(400);
    });
  });

  test("parents are ordered by the alias of an embedded column", async () => {
    const first = async (path: string): Promise<unknown> => (await (await rest.raw(path)).json())[0];
    expect(await first("/courses?select=id,rooms(size:seats)&order=rooms(size).desc.nullslast,id")).toEqual({ id: 2, rooms: { size: 40 } });
    expect(await first("/courses?select=id,...rooms(size:seats)&order=rooms(size).desc.nullslast,id")).toEqual({ id: 2, size: 40 });
    expect(await first("/reviews?select=id,courses(about:details->hours)&order=courses(about).desc")).toEqual({
      id: 4,
      courses: { about: 140 },
    });
    expect(await first("/reviews?select=id,courses(about:details)&order=courses(about->hours).desc")).toMatchObject({ id: 4 });
    // As text, 80 comes after 250.
    expect(await first("/reviews?select=id,courses(cost:price::text)&order=courses(cost).desc,id")).toEqual({
      id: 1,
      courses: { cost: "80.00" },
    });
    expect(await rows("/courses?select=...rooms(place:building),count()&order=rooms(place)&room_id=not.is.null")).toEqual([
      { place: "North", count: 1 },
      { place: "South", count: 2 },
    ]);
  });

  test("embeds that contain only empty embeds are left out", async () => {
    expect(await rows("/reviews?select=author,courses(rooms())&id=eq.1")).toEqual([{ author: "Kim" }]);
    expect(await rows("/reviews?select=author,...courses(title,rooms(),teachers(mentor_id()))&id=eq.1")).toEqual([
      { author: "Kim", title: "First Aid" },
    ]);
    expect(await rows("/rooms?select=id,courses!inner(reviews!inner())&courses.reviews.stars=eq.3")).toEqual([{ id: "r1" }]);
  });

  test("a column or a constraint names the table, even if a view shows the same key", async () => {
    const first = async (path: string): Promise<unknown> => (await (await rest.raw(path)).json())[0];
    const expected = { course: { title: "First Aid" } };
    expect(await first("/reviews?select=course:course_id(title)&order=id&limit=1")).toEqual(expected);
    expect(await first("/reviews?select=course:reviews_course_id_fkey(title)&order=id&limit=1")).toEqual(expected);
    expect(await first("/reviews?select=course:advanced_courses(name)&course_id=eq.3")).toEqual({ course: { name: "Close Protection" } });
  });

  test("filters, orders and limits of an embed with an alias may use the name of its table", async () => {
    const path = "/courses?select=id,opinions:reviews(stars)&id=eq.1";
    const opinions = async (more: string): Promise<unknown> => (await (await rest.raw(path + more)).json())[0].opinions;
    expect(await opinions("&reviews.order=stars.desc")).toEqual([{ stars: 5 }, { stars: 3 }]);
    expect(await opinions("&opinions.order=stars")).toEqual([{ stars: 3 }, { stars: 5 }]);
    expect(await opinions("&reviews.stars=gt.3")).toEqual([{ stars: 5 }]);
    expect(await opinions("&reviews.order=stars&reviews.limit=1")).toEqual([{ stars: 3 }]);
    const sorted = await rest.raw("/courses?select=id,place:rooms(building)&order=rooms(seats).desc.nullslast,id&limit=1");
    expect(await sorted.json()).toEqual([{ id: 2, place: { building: "South" } }]);
  });

  test("the plan of a request is shown as text or JSON", async () => {
    const { data } = await rest.anon.from("courses").select("id, rooms(*)").explain({ format: "json", analyze: true });
    expect(data).toMatchObject([{ Plan: { "Actual Rows": 1 } }]);
    const text = await rest.raw("/rooms?id=eq.r1", {
      headers: { Accept: 'application/vnd.pgrst.plan+text; for="application/json"; options=verbose' },
    });
    expect(text.headers.get("content-type")).toBe(
      'application/vnd.pgrst.plan+text; for="application/json"; options=verbose; charset=utf-8',
    );
    expect(await text.text()).toContain("Output:");
  });
});
