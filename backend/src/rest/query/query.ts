import type { Media } from "../request/media.ts";
import type { CallPlan, OpenApiPlan, Plan, ReadNode, WritePlan } from "../plan/plan.ts";
import type { Count } from "../request/preferences.ts";
import { callSql } from "./call.ts";
import { countedSql, selectSql } from "./read.ts";
import { changeSql, UPDATES_SETTING, WRITTEN } from "./write.ts";
import { columnOf, qualified, quote, Values, type Statement } from "./sql.ts";

/** The one statement a request comes down to, and the one that estimates its total where that is wanted. */
export interface Query {
  main: Statement;
  estimate: Statement | null;
}

/** What decides how rows become an answer. */
export interface Shape {
  media: Media;
  /** False where only the numbers are wanted, as for HEAD. */
  body: boolean;
  /** The largest total that `count=estimated` counts exactly. */
  exactUpTo: number;
}

/** Writes a plan as SQL; the third stage, pure. */
export function writeQuery(plan: Exclude<Plan, OpenApiPlan>, shape: Shape): Query {
  const values = new Values();
  const text = plan.kind === "write" ? writeText(plan, shape, values) : readText(plan, shape, values);
  const main = values.statement(shape.media.kind === "plan" ? explained(text, shape.media) : text);
  const estimates = plan.kind === "read" && (plan.count === "planned" || plan.count === "estimated");
  return { main, estimate: estimates ? estimateOf(plan.node) : null };
}

// Read after the rows, because what runs for them may set them.
const SETTINGS = `nullif(current_setting('response.headers', true), '') as headers, nullif(current_setting('response.status', true), '') as status`;

function readText(plan: Exclude<Plan, OpenApiPlan | WritePlan>, shape: Shape, values: Values): string {
  const { node, count } = plan;
  if (plan.kind === "call") return callText(plan, shape, values);
  const from = `${qualified(node.source)} as ${quote(node.alias)}`;
  const rows = selectSql(node, from, values);
  return `select ${answerSql("list", shape)}, page, ${totalSql(node, from, count, shape, values)} as total, ${SETTINGS} from (${gathered(rows, shape)}) as gathered`;
}

function callText(plan: CallPlan, shape: Shape, values: Values): string {
  const { node, routine } = plan;
  const call = callSql(plan, values);
  const { result, returnsSet } = routine;
  const counts = plan.count !== null && returnsSet;
  // A count reads the rows a second time, and the function must not run twice for it.
  const before = counts ? `with "#called" as materialized (select ${quote(node.alias)}.* from ${call}) ` : "";
  const from = counts ? `"#called" as ${quote(node.alias)}` : call;
  const total = counts ? totalSql(node, from, "exact", shape, values) : "null";
  const form = result.kind === "scalar" ? (returnsSet ? "values" : "value") : returnsSet ? "list" : "one";
  return `${before}select ${answerSql(form, shape)}, page, ${total} as total, ${SETTINGS} from (${gathered(selectSql(node, from, values), shape, form)}) as gathered`;
}

function writeText(plan: WritePlan, shape: Shape, values: Values): string {
  const { table, returning, location } = plan;
  const change = changeSql(plan, values);
  const written = `(select count(*) from ${quote(WRITTEN)})::text as written`;
  const updated = `nullif(current_setting('${UPDATES_SETTING}', true), '') as updated`;
  const first =
    location &&
    `(select json_build_object(${location.map((name) => `${values.text(name)}, ${columnOf(WRITTEN, name)}::text`).join(", ")})::text from ${quote(WRITTEN)} limit 1)`;
  const rows = returning ? selectSql(returning, `${quote(WRITTEN)} as ${quote(table.name)}`, values) : `select from ${quote(WRITTEN)}`;
  const content = { ...shape, body: returning !== null };
  return `with ${quote(WRITTEN)} as (${change}) select ${answerSql("list", content)}, page, ${written}, ${updated}, ${first ?? "null"} as location, ${SETTINGS} from (${gathered(rows, content)}) as gathered`;
}

type Form = "list" | "one" | "value" | "values";

// The rows come together in one row first: what is read beside them is then read after them.
function gathered(rows: string, shape: Shape, form: Form = "list"): string {
  const isCsv = innerMedia(shape.media).kind === "csv";
  const what = !isCsv && (form === "value" || form === "values") ? `r."value"` : "r.*";
  const columns = ["count(*)::text as page"];
  if (shape.body) columns.unshift(`json_agg(${what}) as list`);
  if (shape.body && isCsv) columns.push("string_agg(substr((r.*)::text, 2, length((r.*)::text) - 2), e'\\n') as lines");
  return `select ${columns.join(", ")} from (${rows}) as r`;
}

function answerSql(form: Form, shape: Shape): string {
  if (!shape.body) return "null as body";
  const media = innerMedia(shape.media);
  if (media.kind === "csv") return `coalesce((${CSV_HEADER}) || e'\\n' || lines, '') as body`;
  const single = form === "one" || form === "value" || (media.kind === "json" && media.single && form !== "values");
  const list = media.kind === "json" && media.stripNulls ? "json_strip_nulls(list)" : "list";
  return single ? `coalesce(${list} -> 0, 'null')::text as body` : `coalesce(${list}, '[]')::text as body`;
}

const CSV_HEADER = `select string_agg(case when name ~ '[",\\n\\r]' then '"' || replace(name, '"', '""') || '"' else name end, ',') from json_object_keys(list -> 0) as names(name)`;

function innerMedia(media: Media): Media {
  return media.kind === "plan" ? media.inner : media;
}

function totalSql(node: ReadNode, from: string, count: Count | null, shape: Shape, values: Values): string {
  if (count === null || count === "planned") return "null";
  const counted = countedSql(node, from, values);
  const cut = count === "estimated" ? ` limit ${values.as(String(shape.exactUpTo + 1), "bigint")}` : "";
  return `(select count(*) from (${counted}${cut}) as counted)::text`;
}

function estimateOf(node: ReadNode): Statement {
  const values = new Values();
  const counted = countedSql(node, `${qualified(node.source)} as ${quote(node.alias)}`, values);
  return values.statement(`explain (format json) ${counted}`);
}

function explained(text: string, { format, options }: Extract<Media, { kind: "plan" }>): string {
  return `explain (${[`format ${format}`, ...options].join(", ")}) ${text}`;
}
