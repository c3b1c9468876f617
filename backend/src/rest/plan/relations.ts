import type { SchemaCache, Table } from "../schema/schema.ts";
import type { OpenApiPlan, Plan, PlannedCondition, ReadNode } from "./plan.ts";

/** Lists the tables a plan reads, as `schema.table`; `*` stands for tables inside functions that Postgres does not know. */
export function relationsOf(plan: Exclude<Plan, OpenApiPlan>, schema: SchemaCache): Set<string> {
  const found = new Set<string>();
  const add = (names: readonly string[]): void => names.forEach((name) => found.add(name));
  switch (plan.kind) {
    case "read":
      add(plan.node.table?.reads ?? []);
      addNode(plan.node);
      break;
    case "call":
      add(plan.routine.reads);
      addNode(plan.node);
      break;
    case "write":
      add(plan.table.reads);
      if (plan.returning) addNode(plan.returning);
  }
  return found;

  function addNode(node: ReadNode): void {
    const { table } = node;
    if (table) for (const name of fieldNames(node)) addComputed(table, name);
    for (const { relationship, node: child, sorting } of node.embeds) {
      if (relationship.kind === "computed") add(relationship.reads);
      else add(child.table?.reads ?? []);
      if (relationship.kind === "junction") add(schema.table(relationship.junction.schema, relationship.junction.name)?.reads ?? []);
      if (child.table) for (const { name } of sorting) addComputed(child.table, name);
      addNode(child);
    }
  }

  function addComputed(table: Table, name: string): void {
    if (!table.columns.has(name)) add(schema.computedColumn(table, name)?.reads ?? []);
  }
}

function fieldNames(node: ReadNode): string[] {
  const selected = node.items.flatMap((item) => (item.kind === "field" && item.field ? [item.field.name] : []));
  const ordered = node.order.flatMap(({ embed, field }) => (embed ? [] : [field.name]));
  return [...selected, ...ordered, ...node.where.flatMap(filteredNames)];
}

function filteredNames(condition: PlannedCondition): string[] {
  if (condition.kind === "filter") return [condition.field.name];
  return condition.kind === "presence" ? [] : condition.conditions.flatMap(filteredNames);
}
