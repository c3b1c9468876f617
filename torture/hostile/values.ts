import type { Random } from "./random.ts";

/** The name of a field and a value that the endpoint accepts. */
export type Fields = Readonly<Record<string, unknown>>;

const UUID = "00000000-0000-4000-8000-000000000001";
const TEXTS: readonly string[] = [
  ...["", " ", "0", "-1", "true", "null", "*", "\\", "'", '"', "%", "\0", "\u{1f4a9}", "\ud800", "\u202e", "\r\nX-Injected: 1"],
  ...["__proto__", "constructor", "toString", "../../etc/passwd", "'; drop table course_dates; --", "${7*7}", "<script>1</script>"],
  ...["a@b.example", "http://127.0.0.1:1/", "javascript:alert(1)", "2031-03-10T09:00:00Z", "infinity", "NaN", "1e999", UUID],
];
const KEYS: readonly string[] = ["__proto__", "constructor", "toString", "", "\0", "a b", '"', "length", "hasOwnProperty", "then"];

/** A text that a careless program fails on: odd, long or costly to match. */
export function hostileText(random: Random): string {
  const size = random.pick([10, 100, 300, 3000, 20_000]);
  return random.chance(0.7)
    ? random.pick(TEXTS)
    : random.pick([
        () => `a@${".".repeat(size)}@`,
        () => `${"a".repeat(size)}@${"b.".repeat(size)}example`,
        () => "\0".repeat(size),
        () => " ".repeat(size),
        () => "\u{1f4a9}".repeat(size / 2),
        () => "<!---->".repeat(Math.min(size, 600)),
        () => "0".repeat(size),
        () => Array.from({ length: Math.min(size, 300) }, () => String.fromCharCode(random.below(0x10000))).join(""),
      ])();
}

/** Any JSON value, up to `depth` levels deep. */
export function hostileValue(random: Random, depth = 3): unknown {
  if (depth > 0 && random.chance(0.3)) {
    const values = Array.from({ length: random.pick([0, 1, 2, 5, 50]) }, () => hostileValue(random, depth - 2));
    return random.chance(0.5) ? values : Object.fromEntries(values.map((value, index) => [hostileKey(random, index), value]));
  }
  return random.pick([() => hostileText(random), () => random.pick([null, true, 0, -0, -1, 1.5, 1e308, 2 ** 53 + 2, {}, []])])();
}

/** The fields with some of them missing, replaced, renamed or added. */
export function mutatedFields(random: Random, fields: Fields): Record<string, unknown> {
  const entries = Object.entries(fields).flatMap(([name, value]): [string, unknown][] => {
    if (random.chance(0.1)) return [];
    if (random.chance(0.3)) return [[name, hostileValue(random)]];
    return [[random.chance(0.03) ? hostileKey(random, 0) : name, value]];
  });
  if (random.chance(0.2)) entries.push([hostileKey(random, 1), hostileValue(random)]);
  return Object.fromEntries(entries);
}

function hostileKey(random: Random, index: number): string {
  return random.chance(0.3) ? random.pick(KEYS) : `k${index}`;
}

/** An access token that nobody issued, or something like one. */
export function forgedToken(random: Random, key: string): string {
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = {
    sub: random.pick([UUID, "", "x", null]),
    role: random.pick(["service_role", "postgres", "authenticated", "anon", "none", "authenticator", 'x"y', "", 7, null]),
    exp: random.pick([9_999_999_999, 1, "never", 1e308]),
    session_id: random.pick([UUID, "x"]),
    aud: "authenticated",
  };
  const header = {
    alg: random.pick(["none", "HS256", "ES256", "RS256", "", "None"]),
    typ: "JWT",
    kid: random.pick(["x", "", "../../x", null]),
  };
  return random.pick([
    () => `${encode(header)}.${encode(claims)}.`,
    () => `${encode(header)}.${encode(claims)}.${Buffer.from(key).toString("base64url")}`,
    () => `${encode(header)}.${encode(claims)}.${"A".repeat(86)}`,
    () => "x.y.z",
    () => "e".repeat(random.pick([1, 6000, 12_000])),
    () => `${encode(hostileValue(random))}.${encode(claims)}.x`,
    () => "sb_secret_guess",
    () => `${key}x`,
  ])();
}
