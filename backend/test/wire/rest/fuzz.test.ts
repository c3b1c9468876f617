import * as fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { anyText } from "../../any-text.ts";
import { describeDatabases } from "../../database.ts";
import { openRestFixture, type RestFixture } from "./fixture.ts";
import { OPERATORS } from "./operators.ts";

const RUNS = 250;

describeDatabases("any request", (open) => {
  let rest: RestFixture;
  beforeAll(async () => {
    rest = await openRestFixture(open, { aggregates_enabled: true });
  });

  const column = fc.constantFrom(
    "id",
    "title",
    "level",
    "price",
    "tags",
    "details",
    "dates",
    "starts_at",
    "room_id",
    "words",
    "slug",
    "nope",
    '"a b"',
  );
  const field = fc.oneof(
    column,
    column.map((name) => `${name}->>hours`),
    column.map((name) => `${name}->parts->0`),
  );
  const value = fc.oneof(
    fc.constantFrom(
      "1",
      "-1",
      "1.5",
      "First Aid",
      "{a,b}",
      "{",
      "[1,2)",
      "[2030-01-01,2030-02-01)",
      '{"hours":6}',
      "true",
      "beginner",
      "2030-01-01",
      "99999999999999999999",
      "NaN",
      "(",
      "*",
      "\\",
      "'",
      "'; drop table rooms; --",
    ),
    anyText(8),
  );
  const operator = fc.constantFrom(...OPERATORS);
  const test_ = fc.tuple(operator, value).map(([name, text]) => `${name}.${text}`);
  const item = fc.oneof(
    field,
    fc.constantFrom(
      "*",
      "rooms(*)",
      "...rooms(building)",
      "reviews(count)",
      "teachers!inner(name)",
      "reviews(stars.sum())",
      "price.avg()",
      "count()",
      "id::text",
      "title::nope",
      "x:title",
      "nope(*)",
      "best_review(*)",
    ),
  );
  const parameter = fc.oneof(
    fc.tuple(field, test_),
    fc.tuple(
      fc.constant("select"),
      fc.array(item, { maxLength: 4 }).map((items) => items.join(",")),
    ),
    fc.tuple(
      fc.constant("order"),
      field.map((name) => `${name}.desc`),
    ),
    fc.tuple(
      fc.constantFrom("or", "and", "not.or"),
      fc
        .array(
          fc.tuple(field, test_).map((parts) => parts.join(".")),
          { maxLength: 3 },
        )
        .map((parts) => `(${parts.join(",")})`),
    ),
    fc.tuple(
      fc.constantFrom("limit", "offset", "rooms.limit", "reviews.order", "columns", "on_conflict", "rooms.building", "reviews"),
      value,
    ),
    fc.tuple(fc.string({ maxLength: 6 }), value),
  );

  test("by GET never gets a 5xx response", async () => {
    let answered = 0;
    const paths = fc.constantFrom("courses", "rooms", "advanced_courses", "rpc/courses_above", "rpc/add", "rpc/shout");
    await fc.assert(
      fc.asyncProperty(
        paths,
        fc.array(parameter, { maxLength: 4 }),
        fc.constantFrom("", "count=exact", "count=estimated", "return=minimal"),
        async (path, parameters, prefer) => {
          const response = await rest.raw(`/${path}?${new URLSearchParams(parameters)}`, { headers: { Prefer: prefer } });
          const text = await response.text();
          expect({ status: response.status, text }).toMatchObject({ status: expect.toSatisfy((status: number) => status < 500) });
          if (response.status < 300) answered++;
          expect(() => JSON.parse(text)).not.toThrow();
        },
      ),
      { numRuns: RUNS },
    );
    expect(answered).toBeGreaterThan(RUNS / 20);
    expect((await rest.anon.from("rooms").select("id")).data).toHaveLength(3);
  });

  test("that writes never gets a 5xx response", async () => {
    const methods = fc.constantFrom("POST", "PATCH", "PUT");
    const body = fc.oneof(
      fc.json({ maxDepth: 3 }),
      fc.string({ maxLength: 10 }),
      fc.dictionary(column, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }).map((object) => JSON.stringify(object)),
    );
    await fc.assert(
      fc.asyncProperty(
        methods,
        fc.constantFrom("plain", "rpc/echo_json", "courses", "rpc/add"),
        body,
        fc.array(parameter, { maxLength: 2 }),
        async (method, path, text, parameters) => {
          const headers = {
            "Content-Type": "application/json",
            Prefer: "return=representation, resolution=merge-duplicates, missing=default",
          };
          const response = await rest.raw(`/${path}?${new URLSearchParams([...parameters, ["id", "lt.0"]])}`, {
            method,
            body: text,
            headers,
          });
          expect({ status: response.status, text: await response.text() }).toMatchObject({
            status: expect.toSatisfy((status: number) => status < 500),
          });
        },
      ),
      { numRuns: RUNS },
    );
  });

  test("by supabase-js for any text finds the row with that text", async () => {
    const text = anyText(20).filter((value_) => !value_.includes("\0"));
    const { anon } = rest;
    await fc.assert(
      fc.asyncProperty(text, text, async (first, second) => {
        const { data, error } = await anon
          .from("teachers")
          .insert([{ name: `+${first}` }, { name: `-${second}` }])
          .select("id,name");
        expect(error).toBeNull();
        expect(data?.map(({ name }) => name)).toEqual([`+${first}`, `-${second}`]);
        const ids = data?.map(({ id }) => id) ?? [];
        try {
          expect((await anon.from("teachers").select("id").eq("name", `+${first}`)).data).toEqual([{ id: ids[0] }]);
          expect((await anon.from("teachers").select("id").neq("name", `-${second}`).in("id", ids)).data).toEqual([{ id: ids[0] }]);
          const quoted = `"${`-${second}`.replaceAll(/["\\]/g, "\\$&")}"`;
          expect((await anon.from("teachers").select("id").or(`name.eq.${quoted},id.eq.0`)).data).toEqual([{ id: ids[1] }]);
          expect((await anon.from("courses").select("id").contains("details", { x: first })).error).toBeNull();
          expect((await anon.rpc("join_tags", { tags: [first, second] })).data).toBe(`${first}+${second}`);
        } finally {
          await anon.from("teachers").delete().in("id", ids);
        }
      }),
      { numRuns: RUNS / 5 },
    );
  });
});
