import { expect, test } from "vitest";
import { RestError } from "./errors.ts";
import { createPrepare, prepareRequest, type Prepared } from "./prepare.ts";
import type { RawRequest } from "./request/request.ts";
import { buildSchemaCache } from "./schema/build-schema.ts";

const columns = [
  { number: 1, name: "id", type: "integer", nullable: false, default: null, writable: true, description: null, labels: null },
];
const relation = { oid: 1, schema: "public", name: "rooms", kind: "r", description: null, columns, query: null };
const schemaOf = () => buildSchemaCache({ relations: [relation], keys: [], routines: [], reads: [] });
const settings = { schemas: ["public"], plan_enabled: false, max_rows: 1000, aggregates_enabled: false };

function raw(search: string, { method = "GET", ...headers }: Record<string, string> = {}): RawRequest {
  const url = new URL(`http://rest.test/rest/v1/rooms?${search}`);
  return { method, url, headers: new Headers(headers), body: method === "POST" ? "{}" : "" };
}

test("a read asked again is not prepared again, until the schema is another", () => {
  const prepare = createPrepare(settings);
  const schema = schemaOf();
  const first = prepare(raw("id=eq.1"), schema);
  expect(prepare(raw("id=eq.1"), schema).request).toBe(first.request);
  expect(prepare(raw("id=eq.2", { apikey: "another" }), schema).request).toBe(first.request);
  expect(prepare(raw("id=eq.1"), schemaOf()).request).not.toBe(first.request);
});

test("a read of a known shape is prepared to the same SQL with its own values", () => {
  const schema = schemaOf();
  const pairs: [first: string, second: string][] = [
    ["id=eq.1", "id=eq.2"],
    ["id=in.(1,2)", 'id=in.(3,"4,5",6)'],
    ["id=not.in.()", "id=not.in.(1)"],
    ["name=like.a*", "name=like.*b*"],
    ["name=eq(any).{a}", "name=eq(any).{b,c}"],
    ["name=fts(english).cat", "name=fts(english).dog"],
    ["name->>k=eq.k&select=name->>k&id=gt.1", "name->>k=eq.x&select=name->>k&id=gt.2"],
    ["id=gt.1&id=lt.5&order=id&limit=2&apikey=a", "id=gt.6&id=lt.9&order=id&limit=2&apikey=b"],
    ["or=(id.eq.1,id.eq.2)&id=eq.3", "or=(id.eq.1,id.eq.2)&id=eq.4"],
  ];
  for (const headers of [{}, { Prefer: "count=estimated" }]) {
    for (const [first, second] of pairs) {
      const prepare = createPrepare(settings);
      const { query } = prepare(raw(first, headers), schema);
      const filled = prepare(raw(second, headers), schema);
      expect(filled.query?.main.text).toBe(query?.main.text);
      expect(contentOf(filled)).toEqual(contentOf(prepareRequest(raw(second, headers), schema, settings)));
      expect(contentOf(prepare(raw(first, headers), schema))).toEqual(contentOf({ query }));
    }
  }
});

test("what only looks like a filter decides the shape", () => {
  const prepare = createPrepare(settings);
  const schema = schemaOf();
  for (const search of ["id=is.null", "id=is.not_null", "order=eq.asc", "order=eq.desc", "%20order=eq.asc", "%20order=eq.desc"]) {
    expect(contentOf(prepare(raw(search), schema))).toEqual(contentOf(prepareRequest(raw(search), schema, settings)));
  }
});

test("a value that cannot be read is refused in a known shape too", () => {
  const prepare = createPrepare(settings);
  const schema = schemaOf();
  prepare(raw("id=in.(1)"), schema);
  expect(() => prepare(raw("id=in.(1"), schema)).toThrow(RestError);
});

test("reads that differ in anything that matters are told apart", () => {
  const prepare = createPrepare(settings);
  const schema = schemaOf();
  const different = [
    raw("id=eq.1"),
    raw("id=neq.1"),
    raw("id=not.eq.1"),
    raw("id=eq.1&limit=1"),
    raw("id=eq.1", { method: "HEAD" }),
    raw("id=eq.1", { Prefer: "count=exact" }),
    raw("id=eq.1", { Accept: "text/csv" }),
    raw("id=eq.1", { Range: "0-1" }),
    raw("id=eq.1", { "Accept-Profile": "public" }),
  ].map((request) => prepare(request, schema));
  expect(new Set(different.map(({ request }) => request)).size).toBe(different.length);
});

test("writes are never remembered, and old reads are forgotten", () => {
  const prepare = createPrepare(settings);
  const schema = schemaOf();
  expect(prepare(raw("", { method: "POST" }), schema)).not.toBe(prepare(raw("", { method: "POST" }), schema));
  const first = prepare(raw("limit=0"), schema);
  for (let limit = 1; limit <= 200; limit++) prepare(raw(`limit=${limit}`), schema);
  expect(prepare(raw("limit=0"), schema)).not.toBe(first);
});

function contentOf({ query }: Pick<Prepared, "query">): unknown {
  return [query?.main, query?.estimate].map((statement) => statement && { text: statement.text, values: statement.values });
}
