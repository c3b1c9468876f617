import { hostileBody } from "./bodies.ts";
import { ENDPOINTS, type Target } from "./endpoints.ts";
import type { HostileRequest } from "./hostile-request.ts";
import { createRandom, type Random } from "./random.ts";
import { rawRequest } from "./raw-requests.ts";
import { forgedToken, hostileText } from "./values.ts";
import { webSocketRequest } from "./websockets.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "TRACE", "PROPFIND", "QUERY", "get", "X".repeat(300)];
const CLIENTS = 32;
const RAW_SHARE = 0.08;
const WEBSOCKET_SHARE = 0.08;

/** Generates a request of a run: the same for the same seed, number and target. */
export function hostileRequest(seed: number, number: number, target: Target): HostileRequest {
  const random = createRandom(seed, number);
  // Half of the requests come from one client, the others from a group of them.
  const client = `127.0.1.${random.chance(0.5) ? 1 : 2 + random.below(CLIENTS)}`;
  if (random.chance(RAW_SHARE)) return { client, ...rawRequest(random, target) };
  if (random.chance(WEBSOCKET_SHARE)) return { client, ...webSocketRequest(random, target) };
  const endpoint = random.pick(ENDPOINTS);
  const method = random.chance(0.93) ? random.pick(endpoint.methods) : random.pick(METHODS);
  const path = endpoint.path(random, target);
  const body = (method === "GET" || method === "HEAD") && random.chance(0.95) ? null : hostileBody(random, endpoint.fields ?? {});
  const headers = [...commonHeaders(random, target), ...oddHeaders(random)];
  if (body) headers.push(`Content-Type: ${oneLine(body.type)}`);
  const { head, bytes, complete = true } = framed(random, body?.bytes ?? Buffer.alloc(0));
  const start = `${method} ${mangled(random, path, target)} HTTP/${random.chance(0.97) ? "1.1" : random.pick(["1.0", "2.0", "0.9", "9.9", "x"])}`;
  const whole = Buffer.concat([Buffer.from(`${[start, ...headers, ...head].join("\r\n")}\r\n\r\n`, "latin1"), bytes]);
  return { endpoint: endpoint.name, client, complete, ...delivery(random, whole) };
}

function commonHeaders(random: Random, { port, publishableKey }: Target): string[] {
  const headers = [
    `Host: ${random.chance(0.96) ? `127.0.0.1:${port}` : random.pick(["a b", "", "evil.example", "[::1", "x".repeat(3000), "127.0.0.1:99999"])}`,
  ];
  if (random.chance(0.96)) headers.push("Connection: close");
  if (random.chance(0.85)) headers.push(`apikey: ${random.chance(0.93) ? publishableKey : oneLine(forgedToken(random, publishableKey))}`);
  if (random.chance(0.3))
    headers.push(
      `Authorization: ${random.pick(["Bearer ", "Bearer ", "bearer  ", "Basic ", ""])}${oneLine(forgedToken(random, publishableKey))}`,
    );
  return headers;
}

const ODD_HEADERS: readonly ((random: Random) => string)[] = [
  (random) => `Range: ${random.pick(["bytes=0-,1-,2-", "bytes=-1", "0-9", "bytes=9-1", "items=0-999999999999", "x"])}`,
  (random) =>
    `Prefer: ${random.pick(["count=exact", "count=planned", "timezone=Europe/London,".repeat(200), "handling=strict, x=y", "tx=rollback", "return=representation,resolution=merge-duplicates", "max-affected=0"])}`,
  (random) =>
    `Accept: ${random.pick(["application/vnd.pgrst.object+json", "application/vnd.pgrst.plan+json", "text/csv", "application/geo+json", "a/b;q=0.1,".repeat(500), "image/avif,image/webp", "*", "", "text/html"])}`,
  (random) => `Accept-Encoding: ${random.pick(["br;q=2,,,;", "gzip", "identity;q=0", "*;q=0", "br,".repeat(1000)])}`,
  (random) => `Cookie: ${random.pick(["=;".repeat(1000), "visit_session=x", "visit_opt_out=1", "__proto__=1", "a".repeat(6000)])}`,
  (random) => `X-Forwarded-For: ${random.pick(["1.2.3.4,".repeat(300), "::1", "x", "", "127.0.0.2"])}`,
  (random) => `Origin: ${random.pick(["null", "http://evil.example", "x", ""])}`,
  (random) => `Sec-Fetch-Site: ${random.pick(["cross-site", "same-origin", "x"])}`,
  (random) => `Content-Profile: ${random.pick(["pg_catalog", "auth", "public", '"', ""])}`,
  (random) => `Accept-Profile: ${random.pick(["pg_catalog", "storage", "public", "\x80"])}`,
  (random) =>
    `Tus-Resumable: 1.0.0\r\nUpload-Length: ${random.pick(["10", "99999999999999", "-1", "x"])}\r\nUpload-Offset: ${random.pick(["0", "-1", "x"])}\r\nUpload-Metadata: ${random.pick(["bucketName cG9zdC1pbWFnZXM=,objectName eA==", "bucketName !,objectName %", ""])}`,
  (random) => `If-None-Match: ${random.pick(["*", 'W/"x"', '"'.repeat(3000), ""])}`,
  (random) => `If-Modified-Since: ${random.pick(["x", "Thu, 01 Jan 1970 00:00:00 GMT", "99999"])}`,
  (random) => `User-Agent: ${random.pick(["", "Googlebot", "x".repeat(6000), "Mozilla/5.0 (iPhone)", "Android ".repeat(700)])}`,
  (random) => `Referer: ${random.pick(["http://127.0.0.1//evil.example", "x", `http://${"a.".repeat(2000)}example/`])}`,
  (random) => `Accept-Language: ${random.pick(["en;q=x", "*,".repeat(2000)])}`,
  (random) => `x-upsert: ${random.pick(["true", "x"])}`,
  (random) => `Expect: ${random.pick(["100-continue", "x"])}`,
  (random) => `X-HTTP-Method-Override: ${random.pick(["DELETE", "PUT", "x"])}`,
  (random) =>
    `${random.pick(["X-Supabase-Api-Version", "x-client-info", "If-Range", "Forwarded", "Via"])}: ${oneLine(hostileText(random)).slice(0, 4000)}`,
];

function oddHeaders(random: Random): string[] {
  return Array.from({ length: random.pick([0, 0, 1, 2, 4]) }, () => random.pick(ODD_HEADERS)(random));
}

/** Mostly the path; sometimes another spelling of it. */
function mangled(random: Random, path: string, { port }: Target): string {
  if (random.chance(0.93)) return path;
  return random.pick([
    () => `/${path}`,
    () => path.toUpperCase(),
    () => `${path}%00`,
    () => path.replaceAll(/[a-z]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
    () => `http://127.0.0.1:${port}${path}`,
    () => `http://evil.example${path}`,
    () => path.slice(1),
    () => `/x/..${path}`,
    () => `/%2e%2e${path}`,
    () => `${path}#fragment`,
    () => `${path}\\..\\x`,
    () => `${path}\u00e9\u00ff`,
    () => path + "/".repeat(2000),
    () => "*",
  ])();
}

/** The headers and bytes of a body; sometimes the headers contradict the bytes. */
function framed(random: Random, body: Buffer): { head: string[]; bytes: Buffer; complete?: false } {
  const length = `Content-Length: ${body.byteLength}`;
  const chunked = (): Buffer => Buffer.concat([Buffer.from(`${body.byteLength.toString(16)}\r\n`), body, Buffer.from("\r\n0\r\n\r\n")]);
  if (random.chance(0.88)) return { head: body.byteLength > 0 || random.chance(0.3) ? [length] : [], bytes: body };
  if (random.chance(0.5) && body.byteLength > 0) return { head: ["Transfer-Encoding: chunked"], bytes: chunked() };
  return random.pick([
    () => ({ head: [`Content-Length: ${body.byteLength + 10}`], bytes: body, complete: false }),
    () => ({ head: [`Content-Length: ${body.byteLength >> 1}`], bytes: body }),
    () => ({ head: ["Content-Length: -1"], bytes: body }),
    () => ({ head: ["Content-Length: 99999999999999999999"], bytes: body, complete: false }),
    () => ({ head: [length, "Content-Length: 1"], bytes: body }),
    () => ({ head: [length, "Transfer-Encoding: chunked"], bytes: chunked() }),
    () => ({ head: ["Transfer-Encoding: x, chunked"], bytes: chunked() }),
    () => ({ head: ["Transfer-Encoding: chunked"], bytes: Buffer.from("ffffffffffffffff\r\nx"), complete: false }),
    () => ({ head: [length, "Content-Encoding: gzip"], bytes: body }),
  ])();
}

function delivery(random: Random, whole: Buffer): Pick<HostileRequest, "pieces" | "leaves"> {
  if (random.chance(0.9)) return { pieces: [whole], leaves: false };
  const cut = 1 + random.below(whole.byteLength);
  return random.pick([
    () => ({ pieces: [whole.subarray(0, cut), whole.subarray(cut)], leaves: false }),
    () => ({ pieces: [whole.subarray(0, cut)], leaves: true }),
    () => ({ pieces: [whole], leaves: true }),
  ])();
}

function oneLine(text: string): string {
  return text.replaceAll(/[\r\n\0]/g, " ");
}
