import type { Payload } from "../request/body.ts";
import { listNames, RestError, type Suggestion } from "../errors.ts";
import { planRead, tableRoot, type PlanSettings, type Root } from "./read.ts";
import type { CallArguments, CallPlan } from "./plan.ts";
import type { RestRequest } from "../request/request.ts";
import { plainType, type Routine, type SchemaCache } from "../schema/schema.ts";
import { MIN_SIMILARITY, mostSimilar, MIN_SIMILARITY_IN_SCOPE } from "./similar.ts";

/** Plans a function call. Fails with PGRST128, PGRST202 if no function takes these arguments, and PGRST203 if several do. */
export function planCall(request: RestRequest, name: string, schema: SchemaCache, settings: PlanSettings): CallPlan {
  const { payload, parameters, preferences } = request;
  const fields = payload ? payload.fields : parameters.args;
  const keys = fields ? [...new Set(fields.map(([key]) => key))] : (parameters.columns ?? payload?.keys ?? []);
  const all = schema.routines(request.schema, name);
  const hasKeys = payload?.kind !== "raw" && payload?.kind !== "other";
  const byName = hasKeys ? all.filter((routine) => accepts(routine, keys)) : [];
  const candidates = byName.length > 0 || !payload ? byName : all.filter((routine) => receives(routine, payload));
  const [routine, second] = candidates;
  if (!routine) throw notFound(request, name, keys, schema);
  if (second) throw ambiguous(candidates);
  if (!routine.returnsSet && preferences.handling === "strict" && preferences.maxAffected !== null) throw affectsOneRow();
  const node = planRead(rootOf(routine), parameters, schema, settings, { written: false, range: request.range });
  return {
    kind: "call",
    routine,
    args: planArguments(routine, keys, fields, payload),
    node: routine.returnsSet ? node : { ...node, limit: null, offset: 0 },
    count: preferences.count,
  };
}

function accepts({ args }: Routine, keys: readonly string[]): boolean {
  return keys.every((key) => args.some(({ name }) => name === key)) && args.every(({ name, required }) => !required || keys.includes(name));
}

/** Returns true if the function's only argument, without a name, receives the whole body. */
function receives({ args: [only, another] }: Routine, { receivers }: Payload): boolean {
  return only?.name === "" && !another && receivers.includes(only.type);
}

function planArguments(
  { args }: Routine,
  keys: readonly string[],
  fields: readonly (readonly [string, string])[] | null,
  payload: Payload | null,
): CallArguments {
  const [only] = args;
  if (payload && only?.name === "") return { kind: "body", type: only.type, text: payload.text };
  const given = args.filter(({ name }) => keys.includes(name));
  if (payload && !fields) return { kind: "object", args: given, payload };
  return {
    kind: "named",
    args: given.map((argument) => {
      const values = (fields ?? []).filter(([key]) => key === argument.name).map(([, value]) => value);
      return { argument, values: argument.variadic ? values : values.slice(-1) };
    }),
  };
}

// As PostgREST refuses it (decision 035).
function affectsOneRow(): RestError {
  const message = "Function must return SETOF or TABLE when max-affected preference is used with handling=strict";
  return new RestError(400, "PGRST128", message);
}

function rootOf({ schema, name, result }: Routine): Root {
  switch (result.kind) {
    case "table":
      return { ...tableRoot(result.table), source: { schema, name } };
    case "record":
      return {
        source: { schema, name },
        table: null,
        types: new Map([...result.columns].map(([column, type]) => [column, plainType(type)])),
      };
    case "scalar":
      return { source: { schema, name }, table: null, types: new Map([["value", plainType(result.type)]]) };
    case "void":
      return { source: { schema, name }, table: null, types: new Map() };
  }
}

function notFound({ schema, payload }: RestRequest, name: string, keys: readonly string[], cache: SchemaCache): RestError {
  const names = listNames(keys.toSorted());
  const whole = payload?.receivers.join("/") ?? "";
  const isRaw = payload?.kind === "raw";
  const given = keys.length === 0 ? "without parameters" : `with parameter${keys.length > 1 ? "s" : ""} ${names}`;
  const alternatives = [...(isRaw ? [] : [given]), ...(whole === "" ? [] : [`with a single unnamed ${whole} parameter`])];
  const called = isRaw ? "" : keys.length === 0 ? " without parameters" : `(${names})`;
  return new RestError(404, "PGRST202", `Could not find the function ${schema}.${name}${called} in the schema cache`, {
    details: `Searched for the function ${schema}.${name} ${alternatives.join(" or ")}, but no matches were found in the schema cache.`,
    suggestions: isRaw ? [] : similarFunctions(schema, name, keys, cache),
  });
}

/** Functions with a similar name, or with this name and similar arguments; never the call just made. */
function similarFunctions(schema: string, name: string, keys: readonly string[], cache: SchemaCache): Suggestion[] {
  const sameName = cache.routines(schema, name);
  const suggest = ({ oid }: Routine, called: string): Suggestion => ({
    kind: "function",
    oid,
    hint: `Perhaps you meant to call the function ${schema}.${called}`,
  });
  if (sameName.length > 0) {
    const given = listed(keys);
    const others = sameName.filter((routine) => listedArguments(routine) !== given);
    const similar = mostSimilar(given, others, listedArguments, MIN_SIMILARITY_IN_SCOPE);
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
