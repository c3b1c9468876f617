import { z } from "zod";
import type { Row } from "../../db/database.ts";
import { COMMON_HEADERS, isHeader, parseJsonOrNull } from "./headers.ts";
import { RestError } from "../errors.ts";
import type { CallPlan, ReadPlan, WritePlan } from "../plan/plan.ts";
import { formatApplied, type Preferences } from "../request/preferences.ts";
import type { RestRequest } from "../request/request.ts";

/** The single result row of a statement, as text. */
export type Result = Record<"body" | "headers" | "status", string | null> & { page: string } & Partial<
    /** Reads have `total`, writes the other three. */
    Record<"total" | "written" | "updated" | "location", string | null>
  >;

/** A response before it is encoded for its client. */
export interface Answer {
  status: number;
  headers: Headers | HeaderRecord;
  body: string | null;
}

/** Facts about the request that its response depends on. */
interface ResponseContext {
  request: RestRequest;
  /** The counted or estimated total; null if not requested. */
  total: number | null;
  /** The preference `tx`, if the settings allow it and it was applied. */
  transaction: Preferences["transaction"];
}

/** Builds the answer of a read or a call. Fails with PGRST103, 116 or 124. */
export function readAnswer(plan: ReadPlan | CallPlan, result: Result, context: ResponseContext): Answer {
  const { request, total } = context;
  const page = Number(result.page);
  const { offset } = plan.node;
  const isVoid = plan.kind === "call" && plan.routine.result.kind === "void";
  refuseSingle(request, page, plan.kind === "call" && !plan.routine.returnsSet);
  if (plan.kind === "call") refuseTooMany(request, page);
  if (total !== null && offset > total) throw outOfRange(offset, total);
  const partial = total !== null && page < total;
  const headers = {
    "Content-Range": contentRange(offset, page, total),
    ...preferenceApplied(context, { count: request.preferences.count, maxAffected: plan.kind === "call" ? limitOf(request) : null }),
  };
  if (isVoid) return finish(null, 204, headers, result);
  return finish(result.body, partial ? 206 : 200, { ...headers, ...contentHeaders(request) }, result);
}

/** Builds the answer of a write. Fails with PGRST116 or 124, which must roll the transaction back. */
export function writeAnswer(plan: WritePlan, result: Result, context: ResponseContext): Answer {
  const { request } = context;
  const { preferences, method } = request;
  const written = Number(result.written);
  const { returning, change } = plan;
  const limits = method === "PATCH" || method === "DELETE";
  if (limits) refuseTooMany(request, written);
  refuseSingle(request, returning ? Number(result.page) : written, false);
  const total = preferences.count === null ? null : written;
  const range = method === "PATCH" ? contentRange(0, written, total) : contentRange(0, 0, total);
  const conflict = change.kind === "insert" ? change.conflict : null;
  const headers = {
    ...(method === "PUT" ? {} : { "Content-Range": range }),
    ...preferenceApplied(context, {
      resolution: conflict && method === "POST" ? conflict.resolution : null,
      missing: method === "POST" || method === "PATCH" ? preferences.missing : null,
      maxAffected: limits ? limitOf(request) : null,
      representation: preferences.representation,
      count: preferences.count,
    }),
    ...(plan.location && result.location != null && written === 1 ? { Location: locationOf(plan, result.location) } : {}),
    ...(returning ? contentHeaders(request) : {}),
  };
  return finish(returning ? result.body : null, writeStatus(context, plan, written, Number(result.updated)), headers, result);
}

function writeStatus({ request }: ResponseContext, plan: WritePlan, written: number, updated: number): number {
  if (request.method === "POST") {
    const merges = plan.change.kind === "insert" && plan.change.conflict?.resolution === "merge-duplicates";
    return merges && written - updated <= 0 ? 200 : 201;
  }
  if (request.method === "PUT" && written > updated) return 201;
  return plan.returning ? 200 : 204;
}

/** Builds the answer of a request for the query plan. */
export function planAnswer(rows: readonly Row[], request: RestRequest): Answer {
  const lines = rows.map((row) => row["QUERY PLAN"]);
  const isJson = request.media.kind === "plan" && request.media.format === "json";
  const body = isJson ? JSON.stringify(lines[0]) : `${lines.join("\n")}\n`;
  return { status: 200, headers: { ...COMMON_HEADERS, ...contentHeaders(request) }, body };
}

function refuseSingle({ media }: RestRequest, rows: number, always: boolean): void {
  if (media.kind !== "json" || !media.single || rows === 1 || always) return;
  throw new RestError(406, "PGRST116", "Cannot coerce the result to a single JSON object", { details: `The result contains ${rows} rows` });
}

function limitOf({ preferences: { handling, maxAffected } }: RestRequest): number | null {
  return handling === "strict" ? maxAffected : null;
}

function refuseTooMany(request: RestRequest, rows: number): void {
  const limit = limitOf(request);
  if (limit === null || rows <= limit) return;
  throw new RestError(400, "PGRST124", "Query result exceeds max-affected preference constraint", {
    details: `The query affects ${rows} rows`,
  });
}

function outOfRange(offset: number, total: number): RestError {
  return new RestError(416, "PGRST103", "Requested range not satisfiable", {
    details: `An offset of ${offset} was requested, but there are only ${total} rows.`,
    headers: { "Content-Range": `*/${total}` },
  });
}

function contentRange(offset: number, rows: number, total: number | null): string {
  return `${rows === 0 ? "*" : `${offset}-${offset + rows - 1}`}/${total ?? "*"}`;
}

type HeaderRecord = Readonly<Record<string, string>>;

function contentHeaders({ media, profile }: RestRequest): HeaderRecord {
  return { "Content-Type": media.contentType, ...(profile === null ? {} : { "Content-Profile": profile }) };
}

function preferenceApplied({ request, transaction }: ResponseContext, preferences: Partial<Preferences>): HeaderRecord {
  const { handling, timezone } = request.preferences;
  const text = formatApplied({ ...preferences, transaction, timezone, handling });
  return text === null ? {} : { "Preference-Applied": text };
}

function locationOf({ table }: WritePlan, keys: string): string {
  const pairs = z.record(z.string(), z.string().nullable()).parse(JSON.parse(keys));
  const search = Object.entries(pairs).map(
    ([name, value]) => `${encodeURIComponent(name)}=${value === null ? "is.null" : `eq.${encodeURIComponent(value)}`}`,
  );
  return `/${encodeURIComponent(table.name)}?${search.join("&")}`;
}

const headerEntry = z.record(z.string(), z.string()).refine((entry) => {
  const pairs = Object.entries(entry);
  return pairs.length === 1 && pairs.every(([name, value]) => isHeader(name, value));
});
const headerList = z.array(headerEntry);

/** Applies the settings `response.status` and `response.headers`, which SQL may set. */
function finish(body: string | null, status: number, headers: HeaderRecord, result: Result): Answer {
  const final = result.status === null ? status : Number(result.status);
  if (!Number.isInteger(final) || final < 200 || final > 599)
    throw new RestError(500, "PGRST112", "response.status guc must be a valid status code");
  const isBare = final === 204 || final === 205 || final === 304;
  const all = { ...COMMON_HEADERS, ...headers };
  return {
    status: final,
    headers: result.headers === null ? all : overrideHeaders(all, result.headers),
    body: isBare ? null : body,
  };
}

function overrideHeaders(headers: HeaderRecord, setting: string): Headers {
  const parsed = headerList.safeParse(parseJsonOrNull(setting));
  if (!parsed.success)
    throw new RestError(
      500,
      "PGRST111",
      "response.headers guc must be a JSON array composed of objects with a single key and a string value",
    );
  const all = new Headers(headers);
  for (const [name, value] of parsed.data.flatMap(Object.entries)) {
    if (name.toLowerCase() === "set-cookie") all.append(name, value);
    else all.set(name, value);
  }
  return all;
}
