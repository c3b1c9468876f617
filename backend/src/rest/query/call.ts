import { arrayLiteral } from "../request/filter.ts";
import type { CallPlan } from "../plan/plan.ts";
import type { RoutineArgument } from "../schema/schema.ts";
import { columnOf, qualified, quote, type Values } from "./sql.ts";

const ARGUMENTS = "#arguments";

/** Writes a function call as FROM item, under the plan's alias; a scalar's column is called `value`. */
export function callSql({ routine, args, node }: CallPlan, values: Values): string {
  const { kind } = routine.result;
  const alias = `${quote(node.alias)}${kind === "scalar" || kind === "void" ? '("value")' : ""}`;
  const call = (list: string): string => `${qualified(routine)}(${list}) as ${alias}`;
  switch (args.kind) {
    case "body":
      return call(values.as(args.text, args.type));
    case "named":
      return call(args.args.map(({ argument, values: texts }) => named(argument, textsSql(argument, texts, values))).join(", "));
    case "object": {
      if (args.args.length === 0) return call("");
      const record = `json_to_record(${values.as(args.text, "json")}) as ${quote(ARGUMENTS)}(${args.args.map(({ name, type }) => `${quote(name)} ${type}`).join(", ")})`;
      return `${record} cross join lateral ${call(args.args.map((argument) => named(argument, columnOf(ARGUMENTS, argument.name))).join(", "))}`;
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
