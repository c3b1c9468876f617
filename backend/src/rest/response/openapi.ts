import type { Identity } from "../../identity.ts";
import { COMMON_HEADERS } from "./headers.ts";
import { RestError } from "../errors.ts";
import { BASE_PATH, type RestRequest } from "../request/request.ts";
import type { Column, Routine, RoutineArgument, SchemaCache, Table } from "../schema/schema.ts";

/** Describes the schema as OpenAPI 2.0, for callers with the secret key only, as hosted projects do. */
export function openApiResponse(identity: Identity, cache: SchemaCache, { schema, media }: RestRequest): Response {
  if (identity.role !== "service_role") {
    throw new RestError(401, "PGRST301", "Access to schema is forbidden", { hint: "Only the secret API key may read the whole schema." });
  }
  const headers = { ...COMMON_HEADERS, "Content-Type": media.contentType };
  return new Response(JSON.stringify(describeSchema(cache, schema)), { headers });
}

function describeSchema(cache: SchemaCache, schema: string): Record<string, unknown> {
  const tables = cache.tables(schema);
  const routines = cache.routineNames(schema).flatMap((name) => cache.routines(schema, name).slice(0, 1));
  return {
    swagger: "2.0",
    info: { title: schema, description: `Tables and functions of the schema ${schema}`, version: "14" },
    basePath: BASE_PATH,
    schemes: ["https", "http"],
    consumes: JSON_TYPES,
    produces: [...JSON_TYPES, "text/csv"],
    securityDefinitions: { apikey: { type: "apiKey", in: "header", name: "apikey" } },
    security: [{ apikey: [] }],
    paths: Object.fromEntries([
      ...tables.map((table): [string, unknown] => [`/${table.name}`, tablePath(table)]),
      ...routines.map((routine): [string, unknown] => [`/rpc/${routine.name}`, routinePath(routine)]),
    ]),
    definitions: Object.fromEntries(tables.map((table) => [table.name, tableDefinition(table)])),
    parameters: PARAMETERS,
  };
}

const JSON_TYPES = ["application/json", "application/vnd.pgrst.object+json", "application/vnd.pgrst.array+json"];

const PARAMETERS = {
  select: { name: "select", in: "query", type: "string", description: "Columns and embedded tables" },
  order: { name: "order", in: "query", type: "string", description: "Order of the rows" },
  limit: { name: "limit", in: "query", type: "string", description: "Largest number of rows" },
  offset: { name: "offset", in: "query", type: "string", description: "Number of rows left out at the start" },
  on_conflict: { name: "on_conflict", in: "query", type: "string", description: "Columns that make a row a duplicate" },
  prefer: { name: "Prefer", in: "header", type: "string", description: "Preferences: return, count, resolution, missing, handling, tx" },
};

const READ = ["select", "order", "limit", "offset", "prefer"];

function references(names: readonly string[]): unknown[] {
  return names.map((name) => ({ $ref: `#/parameters/${name}` }));
}

function tablePath(table: Table): Record<string, unknown> {
  const filters = [...table.columns.values()].map(({ name }) => ({ name, in: "query", required: false, type: "string" }));
  const body = { name: table.name, in: "body", required: false, schema: { $ref: `#/definitions/${table.name}` } };
  const rows = { description: "OK", schema: { type: "array", items: { $ref: `#/definitions/${table.name}` } } };
  const shared = { tags: [table.name], ...(table.description === null ? {} : { summary: table.description }) };
  return {
    get: { ...shared, parameters: [...filters, ...references(READ)], responses: { 200: rows, 206: { description: "Partial Content" } } },
    post: {
      ...shared,
      parameters: [body, ...references(["select", "on_conflict", "prefer"])],
      responses: { 201: { description: "Created" } },
    },
    patch: { ...shared, parameters: [...filters, body, ...references(["prefer"])], responses: { 204: { description: "No Content" } } },
    delete: { ...shared, parameters: [...filters, ...references(["prefer"])], responses: { 204: { description: "No Content" } } },
  };
}

function tableDefinition({ columns, primaryKey, description }: Table): JsonSchema {
  const list = [...columns.values()];
  return {
    type: "object",
    ...(description === null ? {} : { description }),
    required: list.filter((column) => !column.nullable).map(({ name }) => name),
    properties: Object.fromEntries(list.map((column) => [column.name, columnSchema(column, primaryKey.includes(column.name))])),
  };
}

function routinePath(routine: Routine): Record<string, unknown> {
  const { name, args, description, volatility } = routine;
  const shared = {
    tags: [`(rpc) ${name}`],
    ...(description === null ? {} : { summary: description }),
    responses: { 200: { description: "OK" } },
  };
  const properties = Object.fromEntries(args.map((argument) => [argument.name, typeSchema(argument.type)]));
  const schema = { type: "object", required: args.filter(({ required }) => required).map((argument) => argument.name), properties };
  const post = { ...shared, parameters: [{ name: "args", in: "body", required: true, schema }, ...references(["prefer"])] };
  return volatility === "volatile" ? { post } : { get: { ...shared, parameters: args.map(queryArgument) }, post };
}

function queryArgument({ name, type, required, variadic }: RoutineArgument): Record<string, unknown> {
  const shape = variadic ? { type: "array", items: { type: "string" }, collectionFormat: "multi" } : { type: "string" };
  return { name, in: "query", required, format: type, ...shape };
}

type JsonSchema = Record<string, unknown>;

const JSON_TYPE_OF: Readonly<Record<string, string>> = {
  boolean: "boolean",
  smallint: "integer",
  integer: "integer",
  bigint: "integer",
  numeric: "number",
  real: "number",
  "double precision": "number",
};

/** Describes a Postgres type as JSON Schema with the type's name as format; JSON may be any value. */
function typeSchema(type: string): JsonSchema {
  if (type === "json" || type === "jsonb") return { format: type };
  if (type.endsWith("[]")) return { type: "array", format: type, items: typeSchema(type.slice(0, -2)) };
  return { type: JSON_TYPE_OF[type] ?? "string", format: type };
}

function columnSchema({ type, labels, description, default: value }: Column, isKey: boolean): JsonSchema {
  const notes = [description, isKey ? "Primary key" : null].filter((note) => note !== null);
  return {
    ...typeSchema(type),
    ...(labels === null ? {} : { enum: labels }),
    ...(value === null ? {} : { default: value }),
    ...(notes.length === 0 ? {} : { description: notes.join("\n\n") }),
  };
}
