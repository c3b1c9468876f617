import { expect, test, vi } from "vitest";
import { createPrepare } from "./prepare.ts";
import type { RawRequest } from "./request/request.ts";
import { buildSchemaCache } from "./schema/build-schema.ts";
import { plainType } from "./schema/schema.ts";

const column = (name: string, number: number) => ({
  ...plainType("integer"),
  number,
  name,
  nullable: false,
  default: null,
});
const relation = (oid: number, name: string, names: readonly string[]) => {
  const columns = names.map((columnName, index) => ({ ...column(columnName, index + 1), description: null, labels: null }));
  return { oid, schema: "public", name, kind: "r", description: null, columns };
};
const building = { name: "building", columns: ["building"], numbers: [2], target: 2, targetColumns: ["id"], targetNumbers: [1] };
const relations = [
  relation(1, "rooms", ["id", "building"]),
  relation(2, "buildings", ["id", ...Array.from({ length: 39 }, (_, index) => `property_${index}`)]),
];
const schemaOf = () => buildSchemaCache({ relations, views: [], keys: [{ table: 1, kind: "f", ...building }], routines: [], reads: [] });
const settings = { schemas: ["public"], plan_enabled: false, max_rows: 1000, aggregates_enabled: false };

function raw(search: string, { method = "GET", ...headers }: Record<string, string> = {}): RawRequest {
  const url = new URL(`http://rest.test/rest/v1/rooms?${search}`);
  return { method, url, headers: new Headers(headers), body: method === "POST" ? "{}" : "", limited: true };
}

test("the same read is prepared once", () => {
  const prepare = createPrepare(schemaOf(), settings);
  const first = prepare(raw("id=eq.1"));
  expect(prepare(raw("id=eq.1"))).toBe(first);
  expect(prepare(raw("id=eq.1", { apikey: "another" }))).toBe(first);
});

test("reads with different values, methods or headers have their own entries", () => {
  const prepare = createPrepare(schemaOf(), settings);
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
    { ...raw("id=eq.1"), limited: false },
  ].map((request) => prepare(request));
  expect(new Set(different.map(({ request }) => request)).size).toBe(different.length);
});

test("writes and URLs with an API key are not cached, and the least recently used read is evicted", () => {
  const prepare = createPrepare(schemaOf(), settings);
  expect(prepare(raw("", { method: "POST" }))).not.toBe(prepare(raw("", { method: "POST" })));
  expect(prepare(raw("apikey=a"))).not.toBe(prepare(raw("apikey=a")));
  const first = prepare(raw("limit=0"));
  for (let limit = 1; limit <= 200; limit++) prepare(raw(`limit=${limit}`));
  expect(prepare(raw("limit=0"))).not.toBe(first);
});

test("a refused read evicts nothing, and reads with long statements leave the cache early", () => {
  const prepare = createPrepare(schemaOf(), settings);
  const first = prepare(raw("limit=0"));
  for (let limit = 1; limit <= 200; limit++) expect(() => prepare(raw(`select=id,id,id,id,id&limit=${limit}`))).toThrow("at most 4 times");
  expect(prepare(raw("limit=0"))).toBe(first);
  const select = Array.from({ length: 100 }, () => "...buildings(*)").join();
  for (let limit = 1; limit <= 10; limit++) prepare(raw(`select=${select}&limit=${limit}`));
  expect(prepare(raw("limit=0"))).not.toBe(first);
});

test("the columns of a spread embed are looked up as often for many order terms as for one", () => {
  const lookUps = (terms: number): number => {
    const schema = schemaOf();
    const columns = vi.spyOn(schema.table("public", "buildings")?.columns ?? new Map(), "get");
    const order = Array.from({ length: terms }, () => "buildings(id)").join();
    createPrepare(schema, settings)(raw(`select=id,...buildings(*)&order=${order}`));
    return columns.mock.calls.length;
  };
  expect(lookUps(100) - lookUps(1)).toBeLessThanOrEqual(2 * 99);
});
