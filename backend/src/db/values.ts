import type { SqlValue } from "./database.ts";

type Decode = (text: string) => unknown;

/**
 * Writes a parameter in Postgres's text form; the server infers its type from the statement.
 * Both drivers send exactly this text, so a string for a `jsonb` is JSON text with either driver.
 */
export function encodeValue(value: SqlValue): string | null {
  if (value === null) return null;
  if (value instanceof Date) return value.toISOString();
  return String(value).toWellFormed();
}

/**
 * Returns the function that reads a type, by its OID, from Postgres's text form. It decodes booleans, integers, floats, JSON,
 * `timestamptz` (as a `Date`), `bytea` and arrays of built-in types. Other types stay text, including dates without a time zone
 * and `numeric`. An `int8` is a number if that is exact, else text.
 */
export function decoderOf(type: number): Decode {
  return DECODERS.get(type) ?? asText;
}

// OIDs of pg_type, which never change for built-in types: element, array.
const asText: Decode = (text) => text;
const ELEMENTS: readonly (readonly [element: number, array: number, decode: Decode])[] = [
  [16, 1000, (text) => text === "t"], // bool
  [17, 1001, decodeBytea], // bytea
  [20, 1016, decodeInt8], // int8
  [21, 1005, Number], // int2
  [23, 1007, Number], // int4
  [26, 1028, Number], // oid
  [114, 199, JSON.parse], // json
  [700, 1021, Number], // float4
  [701, 1022, Number], // float8
  [1184, 1185, decodeTimestamptz], // timestamptz
  [3802, 3807, JSON.parse], // jsonb
  [19, 1003, asText], // name
  [25, 1009, asText], // text
  [142, 143, asText], // xml
  [650, 651, asText], // cidr
  [829, 1040, asText], // macaddr
  [869, 1041, asText], // inet
  [1042, 1014, asText], // bpchar
  [1043, 1015, asText], // varchar
  [1082, 1182, asText], // date
  [1083, 1183, asText], // time
  [1114, 1115, asText], // timestamp
  [1186, 1187, asText], // interval
  [1266, 1270, asText], // timetz
  [1700, 1231, asText], // numeric
  [2950, 2951, asText], // uuid
];

const DECODERS: ReadonlyMap<number, Decode> = new Map(
  ELEMENTS.flatMap(([element, array, decode]): [number, Decode][] => [
    [element, decode],
    [array, (text) => decodeArray(text, decode)],
  ]),
);

function decodeBytea(text: string): Uint8Array {
  return Uint8Array.fromHex(text.slice(2));
}

function decodeInt8(text: string): number | string {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : text;
}

const TIMESTAMPTZ = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)([+-]\d\d)(?::?(\d\d))?$/;

// Infinity and years outside 1–9999 stay text, because `Date` cannot represent them.
function decodeTimestamptz(text: string): Date | string {
  const match = TIMESTAMPTZ.exec(text);
  return match ? new Date(`${match[1]}T${match[2]}${match[3]}:${match[4] ?? "00"}`) : text;
}

// Quoted elements, structure and unquoted elements of `{1,NULL,"a b",{…}}`.
const ARRAY_TOKEN = /"((?:[^"\\]|\\.)*)"|([{},])|([^"{},]+)/gs;

function decodeArray(text: string, decode: Decode): unknown[] {
  const root: unknown[] = [];
  const open = [root];
  // An array whose first index is not 1 has a prefix: `[0:1]={…}`.
  for (const [, quoted, structure, bare] of text.slice(text.indexOf("{")).matchAll(ARRAY_TOKEN)) {
    const current = open.at(-1);
    if (structure === "{") {
      const inner: unknown[] = [];
      current?.push(inner);
      open.push(inner);
    } else if (structure === "}") open.pop();
    else if (quoted !== undefined) current?.push(decode(quoted.replaceAll(/\\(.)/gs, "$1")));
    else if (bare !== undefined) current?.push(bare === "NULL" ? null : decode(bare));
  }
  const [array] = root;
  return Array.isArray(array) ? array : [];
}
