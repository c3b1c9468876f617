/** The paths of values that come from the environment, with the names of their variables. */
export type Variables = Map<string, string>;

const REFERENCE = /^env\(([A-Za-z_][A-Za-z0-9_]*)\)$/;

/**
 * Replaces each text `env(NAME)` of a TOML document by the value of the variable, and removes it if the variable is unset.
 * `variables` receives the path of each, set or unset.
 */
export function substitute(given: unknown, env: Readonly<Record<string, string | undefined>>, variables: Variables, path = ""): unknown {
  if (typeof given === "string") {
    const name = REFERENCE.exec(given)?.[1];
    if (name === undefined) return given;
    variables.set(path, name);
    return env[name] || undefined;
  }
  if (Array.isArray(given)) return given.map((item, index) => substitute(item, env, variables, join(path, String(index))));
  if (!isTable(given)) return given;
  const entries = Object.entries(given).map(([key, value]) => [key, substitute(value, env, variables, join(path, key))] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** Returns a copy of the document where the text at `path` is converted to a boolean or number. */
export function respell(given: unknown, path: readonly PropertyKey[]): unknown {
  const [key, ...rest] = path;
  if (key !== undefined && isTable(given)) return { ...given, [key]: respell(given[String(key)], rest) };
  if (given === "true" || given === "false") return given === "true";
  return typeof given === "string" && /^-?\d+(\.\d+)?$/.test(given) ? Number(given) : given;
}

/** Lists the keys of `given` that `parsed` does not contain, except disabled tables. */
export function unknownKeys(given: unknown, parsed: unknown, path = ""): string[] {
  if (!isTable(given) || !isTable(parsed)) return [];
  return Object.entries(given).flatMap(([key, value]) => {
    if (Object.hasOwn(parsed, key)) return unknownKeys(value, parsed[key], join(path, key));
    if (isOff(value)) return [];
    // Only the tables below an unknown name that are enabled.
    return isGroup(value) ? unknownKeys(value, {}, join(path, key)) : [join(path, key)];
  });
}

/** Returns true for a table whose switches (`enabled`, `enroll_enabled`, …) are all off, or which contains only such tables. */
function isOff(value: unknown): boolean {
  if (!isTable(value)) return false;
  const switches = Object.entries(value).filter(([key]) => /(^|_)enabled$/.test(key));
  if (switches.length > 0) return switches.every(([, on]) => on === false);
  return isGroup(value) && Object.values(value).every((part) => isOff(part));
}

/** Returns true for a table that contains only tables. */
function isGroup(value: unknown): value is Record<string, unknown> {
  return isTable(value) && Object.keys(value).length > 0 && Object.values(value).every(isTable);
}

function join(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
