import { expect, test } from "vitest";
import { createPrepare } from "./prepare.ts";
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

test("the same read is prepared once per schema", () => {
  const prepare = createPrepare(settings);
  const schema = schemaOf();
  const first = prepare(raw("id=eq.1"), schema);
  expect(prepare(raw("id=eq.1"), schema)).toBe(first);
  expect(prepare(raw("id=eq.1", { apikey: "another" }), schema)).toBe(first);
  expect(prepare(raw("id=eq.1"), schemaOf())).not.toBe(first);
});

test("reads with different values, methods or headers have their own entries", () => {
  const prepare = createPrepare(settings);
  const schema = schemaOf();
  const different = [
    raw("id=eq.1"),
    raw("id=eq.2"),
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

test("writes and URLs with an API key are not cached, and the least recently used read is evicted", () => {
  const prepare = createPrepare(settings);
  const schema = schemaOf();
  expect(prepare(raw("", { method: "POST" }), schema)).not.toBe(prepare(raw("", { method: "POST" }), schema));
  expect(prepare(raw("apikey=a"), schema)).not.toBe(prepare(raw("apikey=a"), schema));
  const first = prepare(raw("limit=0"), schema);
  for (let limit = 1; limit <= 200; limit++) prepare(raw(`limit=${limit}`), schema);
  expect(prepare(raw("limit=0"), schema)).not.toBe(first);
});
