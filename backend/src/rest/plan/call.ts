import type { Payload } from "../request/body.ts";
import { listNames, RestError, type Suggestion } from "../errors.ts";
import { planRead, tableRoot, type PlanSettings, type Root } from "./read.ts";
import type { CallArguments, CallPlan } from "./plan.ts";
import type { RestRequest } from "../request/request.ts";
import type { Routine, SchemaCache } from "../schema/schema.ts";
import { MIN_SIMILARITY, mostSimilar, MIN_SIMILARITY_IN_SCOPE } from "./similar.ts";

/** Plans a function call. Fails with PGRST202 if no function takes these arguments, and PGRST203 if several do. */
export function planCall(request: RestRequest, name: string, schema: SchemaCache, settings: PlanSettings): CallPlan {
  const { payload, parameters } = request;
  const keys = payload ? (parameters.columns ?? payload.keys) : [...new Set(parameters.args.map(([key]) => key))];
  const all = schema.routines(request.schema, name);
  const byName =
    payload?.kind === "raw" || payload?.kind === "other" || payload?.kind === "array"
      ? []
      : all.filter((routine) => accepts(routine, keys));
  const candidates = byName.length > 0 || !payload ? byName : all.filter((routine) => takesBody(routine, payload));
  const [routine, second] = candidates;
  if (!routine) throw notFound(request.schema, name, keys, schema, payload?.kind === "raw");
  if (second) throw ambiguous(candidates);
  const node = planRead(rootOf(routine), parameters, schema, settings, { written: false, range: request.range });
  return {
    kind: "call",
    routine,
    args: planArguments(routine, keys, request, byName.length === 0),
    node: routine.returnsSet ? node : { ...node, limit: null, offset: 0 },
    count: request.preferences.count,
  };
}

function accepts({ args }: Routine, keys: readonly string[]): boolean {
  return keys.every((key) => args.some(({ name }) => name === key)) && args.every(({ name, required }) => !required || keys.includes(name));
}

const JSON_TYPES = ["json", "jsonb"];
const RAW_TYPES = ["text", "xml", "bytea"];

function takesBody({ args }: Routine, payload: Payload): boolean {
  const [only, another] = args;
  if (!only || another || only.name !== "") return false;
  return (payload.kind === "raw" ? RAW_TYPES : JSON_TYPES).includes(only.type);
}

function planArguments(routine: Routine, keys: readonly string[], request: RestRequest, wholeBody: boolean): CallArguments {
  const { payload, parameters } = request;
  const [only] = routine.args;
  if (payload && wholeBody && only) return { kind: "body", type: only.type, text: payload.text };
  const args = routine.args.filter(({ name }) => keys.includes(name));
  if (payload) return { kind: "object", args, text: payload.text };
  return {
    kind: "named",
    args: args.map((argument) => {
      const values = parameters.args.filter(([key]) => key === argument.name).map(([, value]) => value);
      return { argument, values: argument.variadic ? values : values.slice(-1) };
    }),
  };
}

function rootOf({ schema, name, result }: Routine): Root {
  switch (result.kind) {
    case "table":
      return { ...tableRoot(result.table), source: { schema, name } };
    case "record":
      return { source: { schema, name }, table: null, types: result.columns };
    case "scalar":
      return { source: { schema, name }, table: null, types: new Map([["value", result.type]]) };
    case "void":
      return { source: { schema, name }, table: null, types: new Map() };
  }
}

function notFound(schema: string, name: string, keys: readonly string[], cache: SchemaCache, raw: boolean): RestError {
  const given = keys.length === 0 ? "without parameters" : `with parameters ${listNames(keys)}`;
  return new RestError(
    404,
    "PGRST202",
    `Could not find the function ${schema}.${name}${keys.length === 0 ? " without parameters" : `(${listNames(keys)})`} in the schema cache`,
    {
      details: `No function ${schema}.${name} ${given}, nor with a single unnamed parameter, exists in the schema cache.`,
      suggestions: raw ? [] : similarFunctions(schema, name, keys, cache),
    },
  );
}

/** Functions with a similar name, or with this name and similar arguments. */
function similarFunctions(schema: string, name: string, keys: readonly string[], cache: SchemaCache): Suggestion[] {
  const sameName = cache.routines(schema, name);
  const suggest = ({ oid }: Routine, called: string): Suggestion => ({
    kind: "function",
    oid,
    hint: `Perhaps you meant to call the function ${schema}.${called}`,
  });
  if (sameName.length > 0) {
    const given = listed(keys);
    const similar = mostSimilar(given, sameName, listedArguments, MIN_SIMILARITY_IN_SCOPE);
    return similar.map((routine) => suggest(routine, `${name}${listedArguments(routine)}`));
  }
  const similar = mostSimilar(name, cache.routineNames(schema), (other) => other, MIN_SIMILARITY);
  return similar.flatMap((other) => cache.routines(schema, other).map((routine) => suggest(routine, other)));
}

function listedArguments({ args }: Routine): string {
  return listed(args.map((argument) => argument.name));
}

function listed(names: readonly string[]): string {
  return `(${listNames(names.toSorted())})`;
}

function ambiguous(candidates: readonly Routine[]): RestError {
  const signatures = candidates.map(
    ({ schema, name, args }) => `${schema}.${name}(${args.map((arg) => `${arg.name} => ${arg.type}`).join(", ")})`,
  );
  return new RestError(300, "PGRST203", `Could not choose the best candidate function between: ${signatures.join(", ")}`, {
    hint: "Try renaming the parameters or the function itself in the database so function overloading can be resolved",
  });
}
