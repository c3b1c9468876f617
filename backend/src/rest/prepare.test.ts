import { expect, test } from "vitest";
import { createPrepare } from "./prepare.ts";
import type { RawRequest } from "./request/request.ts";
import { buildSchemaCache } from "./schema/build-schema.ts";
import { plainType } from "./schema/schema.ts";

const column = { ...plainType("integer"), number: 1, name: "id", nullable: false, default: null, writable: true };
const columns = [{ ...column, description: null, labels: null }];
const relation = { oid: 1, schema: "public", name: "rooms", kind: "r", description: null, columns };
const schemaOf = () => buildSchemaCache({ relations: [relation], views: [], keys: [], routines: [], reads: [] });
const settings = { schemas: ["public"], plan_enabled: false, max_rows: 1000, aggregates_enabled: false };

function raw(search: string, { method = "GET", ...headers }: Record<string, string> = {}): RawRequest {
  const url = new URL(`http://rest.test/rest/v1/rooms?${search}`);
  return { method, url, headers: new Headers(headers), body: method === "POST" ? "{}" : "" };
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
