import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Catalogue, RelationRow } from "../schema/catalogue.ts";
import { RestError } from "../errors.ts";
import { prepareRequest } from "../prepare.ts";
import type { Query } from "./query.ts";
import { buildSchemaCache } from "../schema/build-schema.ts";
import { plainType } from "../schema/schema.ts";

// Generated names and values use only this alphabet; our own SQL uses none of its letters.
const HOSTILE = Array.from("ДЖЯдж\"'\\;$%_ -.,:()*{}[]→\u0000\u2028😀");
const MARK = /[ДЖЯдж]/;

const column = (name: string, number: number, type: string) => ({
  number,
  name,
  ...plainType(type),
  nullable: true,
  default: null,
  description: null,
  labels: null,
});

function relation(oid: number, name: string, columns: readonly (readonly [string, string])[]): RelationRow {
  const list = columns.map(([columnName, type], index) => column(columnName, index + 1, type));
  return { oid, schema: "ДЖ", name, kind: "r", description: null, columns: list };
}

const catalogue: Catalogue = {
  relations: [
    relation(1, 'Ж"a', [
      ['Я"id', "integer"],
      ["дж", "text"],
      ["Дj", "jsonb"],
      ["Яother", "integer"],
    ]),
    relation(2, "Яb", [
      ["Дid", "integer"],
      ["жname", "text"],
    ]),
  ],
  views: [],
  keys: [
    { table: 1, kind: "p", name: "Жp", columns: ['Я"id'], numbers: [1], target: 0, targetColumns: [], targetNumbers: [] },
    { table: 2, kind: "p", name: "Яp", columns: ["Дid"], numbers: [1], target: 0, targetColumns: [], targetNumbers: [] },
    { table: 1, kind: "f", name: "Жf", columns: ["Яother"], numbers: [4], target: 2, targetColumns: ["Дid"], targetNumbers: [1] },
  ],
  routines: [
    {
      oid: 3,
      schema: "ДЖ",
      name: "Жf",
      description: null,
      volatility: "s",
      returnsSet: true,
      rows: 100,
      returns: "integer",
      returnsKind: "b",
      returnsRelation: 0,
      defaults: 0,
      args: [{ name: "Яarg", type: "integer", relation: 0, mode: "i" }],
    },
  ],
  reads: [],
};
const schema = buildSchemaCache(catalogue);
const settings = { schemas: ["ДЖ"], plan_enabled: true, max_rows: 1000, aggregates_enabled: true };

/** The first three stages: the query of a request, or the error that refuses it. */
function queryOf(
  method: string,
  path: string,
  search: URLSearchParams,
  body = "",
  headers: Record<string, string> = {},
): Query | RestError {
  const url = new URL(`http://rest.test/rest/v1/${path}`);
  url.search = search.toString();
  try {
    const { query } = prepareRequest({ method, url, headers: new Headers(headers), body, limited: false }, schema, settings);
    return query ?? new RestError(404, "PGRST205", "not a table");
  } catch (error) {
    if (error instanceof RestError) return error;
    throw error;
  }
}

/** The parts of a statement outside quoted identifiers. */
function bare(query: Query): string {
  return [query.main.text, query.estimate?.text ?? ""].join(" ").replaceAll(/"(?:[^"]|"")*"/g, '""');
}

const hostile = fc.string({ unit: fc.constantFrom(...HOSTILE), maxLength: 12 });
const quoted = hostile.map((text) => `"${text.replaceAll(/["\\]/g, "\\$&")}"`).filter((text) => text !== '""' && !text.includes("\0"));
const marked = hostile.map((text) => `Д${text}`);
const name = fc.oneof(fc.constantFrom('"Я\\"id"', "дж", "Дj", "Яother", "Яb"), quoted);
const field = fc.oneof(
  name,
  fc.tuple(name, quoted).map(([column_, key]) => `${column_}->>${key}`),
  name.map((column_) => `${column_}->0->1`),
);
const operator = fc.constantFrom(
  "eq",
  "neq",
  "not.gt",
  "like",
  "ilike(any)",
  "match",
  "cs",
  "cd",
  "ov",
  "fts",
  "wfts(Дж)",
  "isdistinct",
  "adj",
);
const condition = fc.tuple(field, operator, quoted).map((parts) => parts.join("."));
const item = fc.oneof(
  field,
  fc.tuple(quoted, field).map((parts) => parts.join(":")),
  fc.tuple(field, fc.constantFrom("Дж", "int", "Жt[]")).map((parts) => parts.join("::")),
  fc.tuple(quoted, field).map(([alias, inner]) => `${alias}:Яb!inner(${inner})`),
  fc.tuple(name, fc.constantFrom("sum", "max", "count")).map(([inner, call]) => `${inner}.${call}()`),
  field.map((inner) => `...Яb(${inner})`),
);

describe("a request's names and values", () => {
  test("reach SQL only as quoted identifiers and as parameters", () => {
    let accepted = 0;
    const request = fc.record({
      select: fc.array(item, { maxLength: 4 }),
      filters: fc.array(fc.tuple(field, operator, marked), { maxLength: 3 }),
      tree: fc.array(condition, { minLength: 1, maxLength: 3 }),
      order: field,
      list: fc.array(quoted, { maxLength: 3 }),
      count: fc.constantFrom("exact", "planned", "estimated"),
    });
    fc.assert(
      fc.property(request, ({ select, filters, tree, order, list, count }) => {
        const search = new URLSearchParams([
          ["select", select.join(",")],
          ...filters.map(([key, test_, value]): [string, string] => [key, `${test_}.${value}`]),
          ["or", `(${tree.join(",")})`],
          ["order", `${order}.desc.nullslast`],
          ['"Я\\"id"', `in.(${list.join(",")})`],
          ["limit", "5"],
        ]);
        const query = queryOf("GET", encodeURIComponent('Ж"a'), search, "", { Prefer: `count=${count}` });
        if (query instanceof RestError) return expect(query.status).toBeLessThan(500);
        accepted++;
        expect(bare(query)).not.toMatch(MARK);
        expect(query.main.values).toEqual(
          expect.arrayContaining(filters.map(([, test_, value]) => (test_.includes("like") ? value.replaceAll("*", "%") : value))),
        );
      }),
      { numRuns: 500 },
    );
    expect(accepted).toBeGreaterThan(200);
  });

  test("reach SQL in the same way in writes and calls", () => {
    fc.assert(
      fc.property(hostile, fc.constantFrom("POST", "PATCH", "DELETE"), fc.constantFrom("merge", "ignore"), (text, method, resolution) => {
        const body = JSON.stringify({ 'Я"id': 1, дж: text });
        const search = new URLSearchParams({ дж: `eq.Ж${text}`, ...(method === "POST" ? { on_conflict: "дж" } : {}) });
        const headers = { Prefer: `return=representation,missing=default,resolution=${resolution}-duplicates` };
        for (const query of [
          queryOf(method, encodeURIComponent('Ж"a'), search, body, headers),
          queryOf("POST", "rpc/Жf", new URLSearchParams({ value: `eq.Д${text}` }), '{"Яarg": 1}'),
        ]) {
          if (query instanceof RestError) throw query;
          expect(bare(query)).not.toMatch(MARK);
        }
      }),
    );
  });

  test("of any shape are parsed or refused, and never make a stage fail", () => {
    const soup = fc.string({
      unit: fc.constantFrom(
        ..."abД\"'\\.,:()!*->{}[]01 ".split(""),
        "select",
        "eq",
        "not.",
        "or",
        "in.",
        "->>",
        "...",
        "::",
        "()",
        "is.null",
      ),
      maxLength: 20,
    });
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(fc.oneof(soup, fc.constantFrom("select", "order", "limit", "offset", "and", "or", "columns", "on_conflict")), soup),
          { maxLength: 5 },
        ),
        (pairs) => {
          const query = queryOf("GET", "Яb", new URLSearchParams(pairs));
          if (query instanceof RestError) expect(query.status).toBeLessThan(500);
          else expect(bare(query)).not.toMatch(MARK);
        },
      ),
      { numRuns: 2000 },
    );
  });

  test("nested too deeply are refused", () => {
    const tree = `${"and(".repeat(100)}a.eq.1${")".repeat(100)}`;
    expect(queryOf("GET", "Яb", new URLSearchParams({ or: `(${tree})` }))).toMatchObject({ code: "PGRST100" });
    const select = `${"Яb(".repeat(100)}a${")".repeat(100)}`;
    expect(queryOf("GET", "Яb", new URLSearchParams({ select }))).toMatchObject({ code: "PGRST100" });
    expect(queryOf("POST", "Яb", new URLSearchParams(), "[".repeat(1_000_000))).toMatchObject({ code: "PGRST102" });
  });

  test("of a simple read become one short statement", () => {
    const query = queryOf("GET", "Яb", new URLSearchParams({ select: "Дid", жname: "eq.x", order: "Дid", limit: "2" }));
    expect(query).toMatchObject({ main: { values: ["x", "2"] }, estimate: null });
  });
});
