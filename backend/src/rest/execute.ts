import type { IdentityOptions } from "../db/as-identity.ts";
import type { Row, Transaction } from "../db/database.ts";
import type { AsCaller, Caller } from "./as-caller.ts";
import type { Plan } from "./plan/plan.ts";
import { isReadOnly } from "./plan/plan-request.ts";
import type { Preferences } from "./request/preferences.ts";
import type { Prepared } from "./prepare.ts";
import type { RestRequest } from "./request/request.ts";
import type { Query } from "./query/query.ts";
import type { ApiSettings } from "./settings.ts";
import { toResponse } from "./response/compress.ts";
import { planAnswer, readAnswer, writeAnswer, type Answer, type Result } from "./response/response.ts";
import { quote } from "./query/sql.ts";

/** The dependencies of executing a request. */
interface Execution {
  asCaller: AsCaller;
  caller: Caller;
  path: string;
  headers: Headers;
  settings: ExecutionSettings;
}

/** The settings that execution uses. */
interface ExecutionSettings extends Pick<ApiSettings, "max_rows" | "tx_end" | "pre_request"> {
  /** The search path of each exposed schema. */
  searchPaths: ReadonlyMap<string, string>;
}

/** Runs a request in one transaction as its caller and builds the response; the last stage. Fails with a `RestError` or `DatabaseError`. */
export async function execute({ request, plan, query }: Extract<Prepared, { query: object }>, execution: Execution): Promise<Response> {
  const { asCaller, caller, settings } = execution;
  const transaction = preferredEnd(request, settings);
  const info = { method: request.method, path: execution.path, headers: Object.fromEntries(execution.headers) };
  const work = async (tx: Transaction): Promise<Answer> => {
    // Awaited, because the function may refuse the request.
    if (settings.pre_request !== null) await tx.query(`select ${settings.pre_request.split(".").map(quote).join(".")}()`);
    const [main, estimate] = await run(tx, query);
    if (request.media.kind === "plan") return planAnswer(main, request);
    const [result] = main;
    if (!result) throw new TypeError("a statement of the query stage returned no row");
    const context = { request, transaction, total: totalOf(plan, result, estimate, settings.max_rows) };
    return plan.kind === "write" ? writeAnswer(plan, result, context) : readAnswer(plan, result, context);
  };
  const answer = await asCaller(caller, info, work, {
    readOnly: isReadOnly(request, plan),
    rollback: (transaction ?? settings.tx_end).startsWith("rollback"),
    settings: settingsFor(request, settings),
  });
  return toResponse(answer, execution.headers);
}

function preferredEnd({ preferences }: RestRequest, { tx_end: end }: ExecutionSettings): Preferences["transaction"] {
  return end.endsWith("-allow-override") ? preferences.transaction : null;
}

function settingsFor({ schema, preferences }: RestRequest, { searchPaths }: ExecutionSettings): NonNullable<IdentityOptions["settings"]> {
  const path = ["search_path", searchPaths.get(schema) ?? quote(schema)] as const;
  return preferences.timezone === null ? [path] : [path, ["timezone", preferences.timezone]];
}

/** Runs a query and its estimate; if both fail, the first failure is thrown. */
async function run({ query, last }: Pick<Transaction, "query" | "last">, { main, estimate }: Query): Promise<[Result[], number | null]> {
  if (!estimate) return [await last<Result>(main.text, main.values), null];
  const [rows, estimated] = await Promise.allSettled([query<Result>(main.text, main.values), last(estimate.text, estimate.values)]);
  if (rows.status === "rejected") throw rows.reason;
  if (estimated.status === "rejected") throw estimated.reason;
  return [rows.value, estimatedRows(estimated.value[0])];
}

function estimatedRows(row: Row | undefined): number | null {
  const text = row?.["QUERY PLAN"];
  const plan: unknown = typeof text === "string" ? JSON.parse(text) : text;
  return Array.isArray(plan) ? Number(plan[0]?.["Plan"]?.["Plan Rows"]) : null;
}

function totalOf(plan: Plan, { total }: Result, estimate: number | null, exactUpTo: number): number | null {
  const counted = total == null ? null : Number(total);
  if (plan.kind !== "read" || plan.count === null || plan.count === "exact" || estimate === null) return counted;
  if (plan.count === "planned" || counted === null) return estimate;
  return counted > exactUpTo ? Math.max(counted, estimate) : counted;
}
