import { OPERATORS } from "backend/test/wire/rest/operators.ts";
import type { Random } from "./random.ts";
import { hostileText } from "./values.ts";

const COLUMNS = ["id", "title", "content", "slug", "author", "course_name", "course_date", "published_at", "capacity", "tags", "nope"];
const PATTERNS = [
  ...[
    "(.+)(.+)(.+)(.+).*\\1\\2\\3\\4\\4$",
    "(a|aa)+$",
    "((a{1,200}){1,200}){1,9}",
    "(a{0,255}){0,255}b",
    "(?=(a+)+$)b",
    "(.*)*(.*)*(.*)*x",
  ],
  ...[
    "[[:alpha:]",
    "(".repeat(500),
    "(a?){200}a{200}",
    "((((a*)*)*)*)*b",
    "***=x",
    "(?b)\\(a\\)\\1",
    `${"(a|b)?".repeat(300)}c`,
    "\\y\\M\\m\\Z",
  ],
  ...[`(${Array.from({ length: 400 }, (_, index) => `w${index}.*`).join("|")})`, "\\u0000", "[^a]{255}{255}", "^(?!.*a).*$", "(?<=a)b"],
];
const VALUES = [
  "1",
  "-1",
  "1.5",
  "{",
  "{a,b}",
  "[1,2)",
  "(1,2)",
  "null",
  "*",
  "**",
  "%",
  "2031-01-01",
  "99999999999999999999",
  "NaN",
  "a & b",
];
const SELECTS = [
  ...[
    "*",
    "*,*",
    "id::constructor",
    "id::__proto__",
    "x:id,x:id",
    "count()",
    "id.count()",
    "id.sum()",
    "content::json",
    "title::int",
    "title::regclass",
  ],
  ...[
    "...nope(*)",
    "nope(*)",
    "bookings(*)",
    "course_dates(*)",
    "content->>a",
    "content->a->b->c",
    "id::text::text",
    '"a""b"',
    "",
    ",",
    "(",
    "a:b:c:d",
  ],
];

/** The query string of a read or write of the REST API. */
export function restQuery(random: Random): string {
  const parts = Array.from({ length: random.below(5) }, () => parameter(random));
  return parts.length === 0 ? "" : `?${parts.join("&")}`;
}

function parameter(random: Random): string {
  return random.pick([
    () => pair(random.pick(COLUMNS), filter(random)),
    () => pair(random.pick(COLUMNS), filter(random)),
    () => pair("select", Array.from({ length: 1 + random.below(3) }, () => random.pick(SELECTS)).join(",")),
    () => pair("select", `${"a(".repeat(random.pick([3, 300]))}${")".repeat(random.pick([3, 300]))}`),
    () => pair(random.pick(["or", "and", "not.or", "not.and"]), logic(random, random.pick([1, 3, 60, 300]))),
    () => pair("order", `${random.pick([...COLUMNS, "__proto__", "content->a"])}.${random.pick(["asc", "desc.nullsfirst", "x", ""])}`),
    () => pair(random.pick(["limit", "offset"]), random.pick(["0", "-1", "1", "99999999999", "x", "1e9", ""])),
    () => pair(random.pick(["columns", "on_conflict"]), random.pick([...COLUMNS, '"', ",", "id,id", hostileText(random)])),
    () => pair(hostileText(random), hostileText(random)),
    () => `${"x=eq.1&".repeat(random.pick([5, 1000]))}y=1`,
    () =>
      random.pick(["%00=%ff%fe", "select=%F0%9F%92%A9", "select=%FF", "%", "=&=&&", "?????", "select=%252a", "a=b=c=d", "id=eq.%EF%BB%BF"]),
  ])();
}

function filter(random: Random): string {
  const operator = random.pick(OPERATORS);
  const value = /match/.test(operator) ? random.pick(PATTERNS) : random.pick([random.pick(VALUES), hostileText(random)]);
  return `${operator}.${value}`;
}

function logic(random: Random, terms: number): string {
  const term = (): string =>
    `${random.pick(COLUMNS)}.${random.pick(["ilike.*a*b*c*d*e*f*", "match.(a|b)*c", "eq.1", "is.null", "in.(1,2)"])}`;
  const nested = random.chance(0.2) ? `${"and(".repeat(200)}${term()}${")".repeat(200)}` : term();
  return `(${Array.from({ length: terms }, term).join(",")},${nested})`;
}

function pair(name: string, value: string): string {
  return `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(value.toWellFormed())}`.slice(0, 14_000);
}
