import type { Media } from "../request/media.ts";
import { arrayLiteral } from "../request/filter.ts";
import { plainType, type RoutineArgument } from "../schema/schema.ts";
import type { CallPlan, OpenApiPlan, Plan, ReadNode, WritePlan } from "../plan/plan.ts";
import type { Count } from "../request/preferences.ts";
import { countedSql, selectSql } from "./read.ts";
import { PAYLOAD, payloadSql } from "./payload.ts";
import { changeSql, UPDATES_SETTING, WRITTEN } from "./write.ts";
import { columnOf, qualified, quote, Values, type Statement } from "./sql.ts";

/** The statement of a request, and the one that estimates its total; null if no estimate was requested. */
export interface Query {
  main: Statement;
  estimate: Statement | null;
}

/** The settings that decide the shape of the result. */
interface Shape {
  media: Media;
  /** False if only counts are needed, as for HEAD. */
  body: boolean;
  /** The largest total that `count=estimated` still counts exactly. */
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

// Read after the rows, because functions called for the rows may set them.
const SETTINGS = `nullif(current_setting('response.headers', true), '') as headers, nullif(current_setting('response.status', true), '') as status`;

function readText(plan: Exclude<Plan, OpenApiPlan | WritePlan>, shape: Shape, values: Values): string {
  const { node, count } = plan;
  if (plan.kind === "call") return callText(plan, shape, values);
  const from = `${qualified(node.source)} as ${quote(node.alias)}`;
  const rows = selectSql(node, from, values);
  return `select ${bodySql("list", shape)}, page, ${totalSql(node, from, count, shape, values)} as total, ${SETTINGS} from (${gathered(rows, shape)}) as gathered`;
}

function callText(plan: CallPlan, shape: Shape, values: Values): string {
  const { node, routine } = plan;
  const call = callSql(plan, values);
  const { result, returnsSet } = routine;
  const counts = plan.count !== null && returnsSet;
  // A count reads the rows a second time; the function must run only once.
  const before = counts ? `with "#called" as materialized (select ${quote(node.alias)}.* from ${call}) ` : "";
  const from = counts ? `"#called" as ${quote(node.alias)}` : call;
  const total = counts ? totalSql(node, from, "exact", shape, values) : plan.count === null ? "null" : "page";
  const form = result.kind === "scalar" ? (returnsSet ? "values" : "value") : returnsSet ? "list" : "one";
  return `${before}select ${bodySql(form, shape)}, page, ${total} as total, ${SETTINGS} from (${gathered(selectSql(node, from, values), shape, form)}) as gathered`;
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
  return `with ${quote(WRITTEN)} as (${change}) select ${bodySql("list", content)}, page, ${written}, ${updated}, ${first ?? "null"} as location, ${SETTINGS} from (${gathered(rows, content)}) as gathered`;
}

type Form = "list" | "one" | "value" | "values";

// All rows are aggregated into one first, so that the settings beside them are read after them.
function gathered(rows: string, shape: Shape, form: Form = "list"): string {
  const { kind } = innerMedia(shape.media);
  const isCsv = kind === "csv";
  const what = !isCsv && (form === "value" || form === "values") ? `r."value"` : "r.*";
  const columns = ["count(*)::text as page"];
  // A caller in a database without PostGIS gets the error of Postgres, as in PostgREST.
  if (shape.body) columns.unshift(`json_agg(${kind === "geojson" ? "st_asgeojson(r.*)::json" : what}) as list`);
  if (shape.body && isCsv) columns.push("string_agg(substr((r.*)::text, 2, length((r.*)::text) - 2), e'\\n') as lines");
  return `select ${columns.join(", ")} from (${rows}) as r`;
}

function bodySql(form: Form, shape: Shape): string {
  if (!shape.body) return "null as body";
  const media = innerMedia(shape.media);
  if (media.kind === "csv") return `coalesce((${CSV_HEADER}) || e'\\n' || lines, '') as body`;
  if (media.kind === "geojson") return `json_build_object('type', 'FeatureCollection', 'features', coalesce(list, '[]'))::text as body`;
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

/** Writes a function call as a FROM item with the plan's alias; the column of a scalar is called `value`. */
function callSql({ routine, args, node }: CallPlan, values: Values): string {
  const { kind } = routine.result;
  const call = (list: string): string => {
    const called = `${qualified(routine)}(${list})`;
    // In FROM, a function that returns `record` would need a list of columns.
    return `${kind === "scalar" || kind === "void" ? `(select ${called} as "value")` : called} as ${quote(node.alias)}`;
  };
  switch (args.kind) {
    case "body":
      return call(values.as(args.text, args.type));
    case "named":
      return call(args.args.map(({ argument, values: texts }) => named(argument, textsSql(argument, texts, values))).join(", "));
    case "object": {
      if (args.args.length === 0) return call("");
      const columns = args.args.map(({ name, type }) => ({ ...plainType(type), name, default: null }));
      const list = args.args.map((argument) => named(argument, columnOf(PAYLOAD, argument.name))).join(", ");
      return `${payloadSql(columns, args.payload, values, { first: true })} cross join lateral ${call(list)}`;
    }
  }
}

function named({ name, variadic }: RoutineArgument, value: string): string {
  return `${variadic ? "variadic " : ""}${quote(name)} := ${value}`;
}

function textsSql(argument: RoutineArgument, texts: readonly string[], values: Values): string {
  const text = argument.variadic && !(texts.length === 1 && texts[0]?.startsWith("{")) ? arrayLiteral(texts) : (texts[0] ?? "");
  return values.as(text, argument.type);
}
