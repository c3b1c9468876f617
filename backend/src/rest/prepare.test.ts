import { expect, test } from "vitest";
import { createPrepare } from "./prepare.ts";
import { buildSchemaCache } from "./schema-cache.ts";

const columns = [
  { number: 1, name: "id", type: "integer", nullable: false, default: null, writable: true, description: null, labels: null },
];
const relation = { oid: 1, schema: "public", name: "rooms", kind: "r", description: null, columns, query: null };
const schemaOf = () => buildSchemaCache({ relations: [relation], keys: [], routines: [] });
const settings = { schemas: ["public"], plan_enabled: false, max_rows: 1000, aggregates_enabled: false };

function raw(search: string, { method = "GET", ...headers }: Record<string, string> = {}) {
  const url = new URL(`http://rest.test/rest/v1/rooms?${search}`);
  return { method, url, headers: new Headers(headers), body: method === "POST" ? "{}" : "" };
}

test("a read asked again is not prepared again, until the schema is another", () => {
  const prepare = createPrepare(settings);
  const schema = schemaOf();
  const first = prepare(raw("id=eq.1"), schema);
  expect(prepare(raw("id=eq.1"), schema)).toBe(first);
  expect(prepare(raw("id=eq.1", { apikey: "another" }), schema)).toBe(first);
  expect(prepare(raw("id=eq.1"), schemaOf())).not.toBe(first);
});

test("reads that differ in anything that matters are told apart", () => {
  const prepare = createPrepare(settings);
  const schema = schemaOf();
  const different = [
    raw("id=eq.1"),
    raw("id=eq.2"),
    raw("id=eq.1", { method: "HEAD" }),
    raw("id=eq.1", { Prefer: "count=exact" }),
    raw("id=eq.1", { Accept: "text/csv" }),
    raw("id=eq.1", { Range: "0-1" }),
    raw("id=eq.1", { "Accept-Profile": "public" }),
  ].map((request) => prepare(request, schema));
  expect(new Set(different).size).toBe(different.length);
});

test("writes are never remembered, and old reads are forgotten", () => {
  const prepare = createPrepare(settings);
  const schema = schemaOf();
  expect(prepare(raw("", { method: "POST" }), schema)).not.toBe(prepare(raw("", { method: "POST" }), schema));
  const first = prepare(raw("id=eq.0"), schema);
  for (let id = 1; id <= 200; id++) prepare(raw(`id=eq.${id}`), schema);
  expect(prepare(raw("id=eq.0"), schema)).not.toBe(first);
});
