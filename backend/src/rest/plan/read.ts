import { RestError } from "../errors.ts";
import type { Condition } from "../request/filter.ts";
import type { OrderTerm } from "../request/field.ts";
import { resolveRelationship } from "./relationship.ts";
import { hasAggregates, type Embed, type PlannedCondition, type PlannedItem, type PlannedOrder, type ReadNode } from "./plan.ts";
import type { EmbedPath, QueryParameters } from "../request/parameters.ts";
import { plainType, type SchemaCache, type Table, type TableName, type ValueType } from "../schema/schema.ts";
import type { EmbedItem, SelectItem } from "../request/select.ts";

/** The settings that planning uses. */
export interface PlanSettings {
  max_rows: number;
  aggregates_enabled: boolean;
}

/** The source of the root's rows: a table, or a function with the types of its columns. */
export interface Root {
  source: TableName;
  table: Table | null;
  types: ReadonlyMap<string, ValueType>;
}

/** Wraps a table as the root of a read. */
export function tableRoot(table: Table): Root {
  return { source: table, table, types: new Map() };
}

/** Selects the root's parameters that apply; parameters of embeds always apply. */
interface RootOptions {
  /** True for the rows a write returns: filters and limits do not apply to them again. */
  written: boolean;
  range: { offset: number; limit: number | null } | null;
}

/** Plans a result as a tree of levels. Fails with PGRST108, 118, 123, 127, 200 or 201. */
export function planRead(root: Root, given: QueryParameters, schema: SchemaCache, settings: PlanSettings, options: RootOptions): ReadNode {
  const parameters = withLabels(given);
  const reached = new Set<string>();
  let embedCount = 0;
  const node = planNode(root, root.source.name, parameters.select, []);
  refuseUnreached(parameters, reached);
  return node;

  function planNode(from: Root, alias: string, items: readonly SelectItem[], path: EmbedPath): ReadNode {
    reached.add(pathKey(path));
    const { source, table, types } = from;
    const isRoot = path.length === 0;
    const terms = at(parameters.orders, path).flatMap((order) => order.terms.map((term) => labelled(term, items)));
    const embeds: Embed[] = [];
    const planned = items.map((item): PlannedItem => {
      if (item.kind === "embed") {
        const embed = planEmbed(table, item, path, terms);
        embeds.push(embed);
        return { kind: "embed", embed };
      }
      if (item.kind === "star" || !item.aggregate || settings.aggregates_enabled) return item;
      throw new RestError(400, "PGRST123", "Use of aggregate functions is not allowed");
    });
    const written = isRoot && options.written;
    const range = isRoot ? options.range : null;
    const limit = range?.limit ?? at(parameters.limits, path).at(-1)?.limit ?? null;
    return {
      table,
      source,
      alias,
      typeOf: (name) => (table ? (table.columns.get(name) ?? computedType(table, name)) : (types.get(name) ?? null)),
      columns: [...(table?.columns ?? types).keys()],
      wholeRow: written && embeds.some(({ relationship }) => relationship.kind === "computed") ? "#row" : null,
      items: planned,
      where: written ? [] : at(parameters.conditions, path).map(({ condition }) => planCondition(condition, embeds)),
      order: terms.map((term) => planOrder(term, embeds, from)),
      limit: written ? null : Math.min(limit ?? settings.max_rows, settings.max_rows),
      offset: written ? 0 : (range?.offset ?? at(parameters.offsets, path).at(-1)?.offset ?? 0),
      embeds,
    };
  }

  function computedType(table: Table, name: string): ValueType | null {
    const computed = schema.computedColumn(table, name);
    return computed ? plainType(computed.type) : null;
  }

  function planEmbed(parent: Table | null, item: EmbedItem, path: EmbedPath, terms: readonly OrderTerm[]): Embed {
    if (!parent) throw new RestError(400, "PGRST200", `Could not find a relationship with '${item.target}' in the schema cache`);
    const relationship = resolveRelationship(schema, parent, item);
    const table = schema.table(relationship.to.schema, relationship.to.name);
    if (!table) throw new RestError(400, "PGRST200", `Could not find the table '${relationship.to.name}' in the schema cache`);
    const label = labelOf(item);
    const alias = `#${++embedCount}`;
    const child = planNode(tableRoot(table), `${alias}.${table.name}`, item.items, [...path, label]);
    if (item.spread && !relationship.toOne && hasAggregates(child))
      throw new RestError(400, "PGRST127", "Feature not implemented", {
        details: "Aggregates are not implemented for one-to-many or many-to-many spreads.",
      });
    const sorting = terms.filter(({ relation }) => relation === label).map(({ field }) => field);
    return { alias, label, relationship, inner: item.inner, spread: item.spread, node: child, sorting };
  }
}

/** Plans the conditions that select the rows of a write. */
export function planWhere(parameters: QueryParameters): PlannedCondition[] {
  return at(parameters.conditions, []).map(({ condition }) => planCondition(condition, []));
}

function planCondition(condition: Condition, embeds: readonly Embed[]): PlannedCondition {
  if (condition.kind !== "filter") return { ...condition, conditions: condition.conditions.map((inner) => planCondition(inner, embeds)) };
  const { field, test, negated } = condition;
  const embed = field.path.length === 0 ? embeds.find(({ label }) => label === field.name) : undefined;
  if (!embed || test.kind !== "is" || (test.value !== "null" && test.value !== "not_null")) return condition;
  return { kind: "presence", embed, present: (test.value === "not_null") !== negated };
}

function planOrder(term: OrderTerm, embeds: readonly Embed[], from: Root): PlannedOrder {
  if (term.relation === null) return { ...term, embed: null };
  const embed = embeds.find(({ label }) => label === term.relation);
  if (!embed) throw notEmbedded(term.relation);
  if (embed.relationship.toOne) return { ...term, embed };
  throw new RestError(400, "PGRST118", `A related order on '${term.relation}' is not possible`, {
    details: `'${from.source.name}' and '${term.relation}' do not form a many-to-one or one-to-one relationship`,
  });
}

/** Replaces the names of embeds in paths by their labels: an embed with an alias answers to its target too, as in PostgREST. */
function withLabels(parameters: QueryParameters): QueryParameters {
  const locate = <T extends { path: EmbedPath }>(list: readonly T[]): T[] =>
    list.map((entry) => (entry.path.length === 0 ? entry : { ...entry, path: labelsOf(entry.path, parameters.select) }));
  const { conditions, orders, limits, offsets } = parameters;
  return { ...parameters, conditions: locate(conditions), orders: locate(orders), limits: locate(limits), offsets: locate(offsets) };
}

function labelsOf([name, ...rest]: EmbedPath, items: readonly SelectItem[]): string[] {
  if (name === undefined) return [];
  const embed = findEmbed(items, name);
  return [embed ? labelOf(embed) : name, ...labelsOf(rest, embed?.items ?? [])];
}

function labelled(term: OrderTerm, items: readonly SelectItem[]): OrderTerm {
  const embed = term.relation === null ? undefined : findEmbed(items, term.relation);
  return embed ? { ...term, relation: labelOf(embed) } : term;
}

function findEmbed(items: readonly SelectItem[], name: string): EmbedItem | undefined {
  const embeds = items.filter((item) => item.kind === "embed");
  return embeds.find(({ alias }) => alias === name) ?? embeds.find(({ target }) => target === name);
}

function labelOf({ alias, target }: EmbedItem): string {
  return alias ?? target;
}

function at<T extends { path: EmbedPath }>(list: readonly T[], path: EmbedPath): T[] {
  const key = pathKey(path);
  return list.filter((entry) => pathKey(entry.path) === key);
}

function pathKey(path: EmbedPath): string {
  return JSON.stringify(path);
}

function refuseUnreached(parameters: QueryParameters, reached: ReadonlySet<string>): void {
  const all = [...parameters.conditions, ...parameters.orders, ...parameters.limits, ...parameters.offsets];
  const stray = all.find(({ path }) => !reached.has(pathKey(path)));
  if (stray) throw notEmbedded(stray.path.join("."));
}

function notEmbedded(name: string): RestError {
  return new RestError(400, "PGRST108", `'${name}' is not an embedded resource in this request`, {
    hint: `Verify that '${name}' is included in the 'select' query parameter.`,
  });
}
