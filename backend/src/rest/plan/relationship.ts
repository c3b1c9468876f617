import { RestError, type Suggestion } from "../errors.ts";
import type { Relationship, SchemaCache, TableName } from "../schema/schema.ts";
import { mostSimilar, MIN_SIMILARITY_IN_SCOPE } from "./similar.ts";
import type { EmbedItem } from "../request/select.ts";

/**
 * Finds the relationship of an embed by table, constraint, key column or computed relationship, and by its hint.
 * Fails with PGRST200 if there is none and PGRST201 if there are several.
 */
export function resolveRelationship(schema: SchemaCache, from: TableName, item: EmbedItem): Relationship {
  const all = schema.relationships(from).filter(({ to }) => to.schema === from.schema);
  const { target, hint } = item;
  const matching = all.filter((relationship) =>
    hint === null ? matchesName(relationship, target, schema) : leadsTo(relationship, target) && matchesHint(relationship, hint),
  );
  // A computed relationship replaces relationships from foreign keys with the same name.
  const found = matching.filter(({ kind }) => kind === "computed");
  const candidates = found.length > 0 ? found : matching;
  const [first, second] = candidates;
  if (!first) throw notFound(from, item, all, schema);
  if (second) throw ambiguous(from, target, candidates);
  return first;
}

function matchesName(relationship: Relationship, target: string, schema: SchemaCache): boolean {
  if (leadsTo(relationship, target)) return true;
  if (relationship.kind !== "key") return false;
  // Of either side: `?select=id(*)` embeds the only table that refers to `id`. Views that show the same key would make it ambiguous.
  if (schema.table(relationship.to.schema, relationship.to.name)?.kind === "view") return false;
  if (isSelf(relationship) && !relationship.forward) return false;
  return relationship.constraint === target || soleColumn(relationship.columns, "own") === target;
}

// For a foreign key to the same table, the table's name means the many side; a column or constraint names the one side.
function leadsTo(relationship: Relationship, target: string): boolean {
  if (relationship.kind === "computed") return relationship.routine.name === target;
  return relationship.to.name === target && !(relationship.kind === "key" && relationship.forward && isSelf(relationship));
}

function isSelf({ from, to }: Relationship): boolean {
  return from.schema === to.schema && from.name === to.name;
}

function matchesHint(relationship: Relationship, hint: string): boolean {
  switch (relationship.kind) {
    case "computed":
      return true;
    case "junction":
      return relationship.junction.name === hint || relationship.constraints.includes(hint);
    default:
      return (
        relationship.constraint === hint ||
        soleColumn(relationship.columns, "own") === hint ||
        soleColumn(relationship.columns, "other") === hint
      );
  }
}

function soleColumn(columns: readonly (readonly [string, string])[], side: "own" | "other"): string | null {
  const [only, another] = columns;
  return only && !another ? only[side === "own" ? 0 : 1] : null;
}

function notFound(from: TableName, { target, hint }: EmbedItem, all: readonly Relationship[], schema: SchemaCache): RestError {
  const using = hint === null ? "" : ` using the hint '${hint}'`;
  const searched = `a foreign key relationship between '${from.name}' and '${target}'${using} in the schema '${from.schema}'`;
  return new RestError(400, "PGRST200", `Could not find a relationship between '${from.name}' and '${target}' in the schema cache`, {
    details: `Searched for ${searched}, but no matches were found.`,
    suggestions: suggest(from, target, all, schema),
  });
}

/** Suggests a similar target; if the table has no relationships at all, a similar table that has some. */
function suggest(from: TableName, target: string, all: readonly Relationship[], schema: SchemaCache): Suggestion[] {
  if (all.some(({ to }) => to.name === target)) return [];
  const tables = schema.tables(from.schema);
  const [given, candidates] =
    all.length > 0
      ? [target, tables.filter(({ name }) => all.some(({ to }) => to.name === name))]
      : [from.name, tables.filter((table) => schema.relationships(table).length > 0)];
  return mostSimilar(given, candidates, ({ name }) => name, MIN_SIMILARITY_IN_SCOPE).map(({ oid, name }) => ({
    kind: "table",
    oid,
    hint: `Perhaps you meant '${name}' instead of '${given}'.`,
  }));
}

function ambiguous(from: TableName, target: string, candidates: readonly Relationship[]): RestError {
  const hints = candidates.map((relationship) => `'${relationship.to.name}!${nameOf(relationship)}'`).join(", ");
  return new RestError(300, "PGRST201", `Could not embed because more than one relationship was found for '${from.name}' and '${target}'`, {
    details: candidates.map((relationship) => ({
      cardinality: cardinalityOf(relationship),
      embedding: `${relationship.from.name} with ${relationship.to.name}`,
      relationship: describe(relationship),
    })),
    hint: `Try changing '${target}' to one of the following: ${hints}. Find the desired relationship in the 'details' key.`,
  });
}

function nameOf(relationship: Relationship): string {
  if (relationship.kind === "key") return relationship.constraint;
  return relationship.kind === "junction" ? relationship.junction.name : relationship.routine.name;
}

function cardinalityOf(relationship: Relationship): string {
  if (relationship.kind === "junction") return "many-to-many";
  if (relationship.kind === "key" && relationship.forward) return "many-to-one";
  return relationship.toOne ? "one-to-one" : "one-to-many";
}

function describe(relationship: Relationship): string {
  const { from, to } = relationship;
  if (relationship.kind === "computed") return relationship.routine.name;
  if (relationship.kind === "junction") {
    const [entry, exit] = relationship.constraints;
    return `${relationship.junction.name} using ${entry}(${list(relationship.entry, 1)}) and ${exit}(${list(relationship.exit, 0)})`;
  }
  return `${relationship.constraint} using ${from.name}(${list(relationship.columns, 0)}) and ${to.name}(${list(relationship.columns, 1)})`;
}

function list(columns: readonly (readonly [string, string])[], side: 0 | 1): string {
  return columns.map((pair) => pair[side]).join(", ");
}
