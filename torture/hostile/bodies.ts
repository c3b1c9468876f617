import type { Random } from "./random.ts";
import { type Fields, hostileText, hostileValue, mutatedFields } from "./values.ts";

/** A request body with its content type; null sends none. */
interface Body {
  type: string;
  bytes: Buffer;
}

const JSON_TYPE = "application/json";
const FORM_TYPE = "application/x-www-form-urlencoded";
const TYPES = [
  ...[JSON_TYPE, FORM_TYPE, "text/csv", "text/plain", "text/xml", "application/octet-stream", "multipart/form-data", "image/png"],
  ...["application/json; charset=utf-16", "application/vnd.pgrst.object+json", "", "/", ";", "x".repeat(5000)],
];

/** A body: mostly close to what the endpoint accepts, sometimes anything. */
export function hostileBody(random: Random, fields: Fields): Body | null {
  if (random.chance(0.1)) return null;
  const body = random.chance(0.55) ? closeToValid(random, fields) : anything(random);
  return random.chance(0.06) ? { ...body, type: random.pick(TYPES) } : body;
}

function closeToValid(random: Random, fields: Fields): Body {
  const mutated = mutatedFields(random, fields);
  return random.pick([
    () => text(JSON_TYPE, JSON.stringify(mutated)),
    () => text(JSON_TYPE, JSON.stringify(mutated)),
    () => text(JSON_TYPE, JSON.stringify([mutated, mutatedFields(random, fields)])),
    () => text(JSON_TYPE, JSON.stringify(mutated).slice(0, random.below(60))),
    () => text(FORM_TYPE, new URLSearchParams(Object.entries(mutated).map(([name, value]) => [name, asText(value)])).toString()),
    () => text("text/csv", `${Object.keys(mutated).join(",")}\n${Object.values(mutated).map(asText).join(",")}\n`),
    () => multipart(random, mutated),
  ])();
}

function anything(random: Random): Body {
  const many = random.pick([10, 1000, 8000, 30_000]);
  return random.pick([
    () => text(JSON_TYPE, JSON.stringify(hostileValue(random, 5))),
    () => text(JSON_TYPE, "[".repeat(many)),
    () => text(JSON_TYPE, `${"[".repeat(many)}${"]".repeat(many)}`),
    () => text(JSON_TYPE, `[${"{},".repeat(many)}{}]`),
    () => text(JSON_TYPE, `{${Array.from({ length: Math.min(many, 8000) }, (_, index) => `"k${index}":${index}`).join()}}`),
    () => text(JSON_TYPE, `{"a":1,"a":2,"__proto__":{"role":"service_role"}}`),
    () => text(JSON_TYPE, `"${hostileText(random).replaceAll(/["\\\p{Cc}]/gu, "")}"`),
    () => ({ type: JSON_TYPE, bytes: Buffer.from(`{"a":"é\u{1f4a9}"}`, "utf16le") }),
    () => ({ type: JSON_TYPE, bytes: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d]) }),
    () => text(FORM_TYPE, "a=1&".repeat(many)),
    () => text(FORM_TYPE, `name=x&message=y&reply_to=a@${".".repeat(many)}@`),
    () => text(FORM_TYPE, "%".repeat(many)),
    () => text("text/csv", `${Array.from({ length: 900 }, (_, index) => `c${index}`).join()}\n${`${",".repeat(899)}\n`.repeat(50)}`),
    () => text("text/csv", `"${"x\n".repeat(many)}`),
    () => text("image/svg+xml", `${"<!---->".repeat(600)}<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>`),
    () => text("text/plain", "\0".repeat(many)),
    () => ({ type: "image/png", bytes: Buffer.from(Array.from({ length: 500 }, () => random.below(256))) }),
    () => text(JSON_TYPE, "x".repeat(random.pick([70_000, 300_000, 1_100_000]))),
    () => multipart(random, { file: hostileText(random), [hostileText(random)]: "x" }),
  ])();
}

function multipart(random: Random, fields: Record<string, unknown>): Body {
  const boundary = random.pick(["x", "----b", "b".repeat(random.pick([70, 5000]))]);
  const parts = Object.entries(fields).map(([name, value]) => {
    const file = random.chance(0.4) ? `; filename="${random.pick(["a.png", "../../a", "", hostileText(random).slice(0, 200)])}"` : "";
    const type = random.chance(0.4) ? `Content-Type: ${random.pick(["image/png", "text/html", "x", ""])}\r\n` : "";
    return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n${type}\r\n${asText(value)}\r\n`;
  });
  const end = random.chance(0.7) ? `--${boundary}--\r\n` : "";
  return text(`multipart/form-data; boundary=${random.chance(0.9) ? boundary : ""}`, parts.join("") + end);
}

function text(type: string, content: string): Body {
  return { type, bytes: Buffer.from(content) };
}

/** `String` fails for objects with a field `toString`. */
function asText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
