import { request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { residentMegabytes, startProduct } from "./product.ts";
import { percentile, type Result, roundDirectory } from "./round.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"];
const PATHS = [
  ..."/ /cctv /blog /blog/x /enquiry /admin /health /sitemap.xml /robots.txt /calendar/x.ics /social/blog/x.jpg /assets/x.js".split(" "),
  ..."/rest/v1/ /rest/v1/course_dates /rest/v1/blog_posts /rest/v1/bookings /rest/v1/enquiries /rest/v1/rpc/find_people".split(" "),
  ..."/auth/v1/token?grant_type=password /auth/v1/otp /auth/v1/verify /auth/v1/recover /auth/v1/user /auth/v1/sso".split(" "),
  ..."/storage/v1/object/post-images/x /storage/v1/render/image/public/post-images/x /storage/v1/upload/resumable".split(" "),
  ..."/functions/v1/record-page-view /functions/v1/get-website-stats /functions/v1/staff /functions/v1/nosuch".split(" "),
];
const QUERIES = [
  "",
  "?select=*",
  `?select=${"a(".repeat(300)}${")".repeat(300)}`,
  "?select=id::constructor",
  "?content=match.(.+)(.+)(.+)(.+).*%5C1%5C2%5C3%5C4%5C4$",
  `?or=(${"title.ilike.*a*b*c*d*,".repeat(200)}id.is.null)`,
  "?order=__proto__.asc&limit=-1&offset=99999999999",
  "?width=99999&height=0&quality=-1",
  `?${"x=1&".repeat(1500)}`,
  "?%00=%ff%fe&select=%F0%9F%92%A9",
];
const BODIES: [string, () => string][] = [
  ["application/json", () => "{}"],
  ["application/json", () => "[".repeat(30_000)],
  ["application/json", () => JSON.stringify(Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`k${index}`, index])))],
  ["application/json", () => `[${"{},".repeat(15_000)}{}]`],
  ["application/json", () => JSON.stringify({ email: `a@${".".repeat(40_000)}@`, password: "x".repeat(10_000), token: "y" })],
  ["application/x-www-form-urlencoded", () => "a=1&".repeat(12_000)],
  ["application/x-www-form-urlencoded", () => `name=x&message=y&reply_to=a@${".".repeat(50_000)}@`],
  ["text/csv", () => `${Array.from({ length: 900 }, (_, index) => `c${index}`).join(",")}\n${`${",".repeat(899)}\n`.repeat(50)}`],
  ["image/svg+xml", () => "<!---->".repeat(80)],
  ["multipart/form-data; boundary=x", () => `--x\r\nContent-Disposition: form-data; name="${"n".repeat(20_000)}"\r\n\r\n`],
  ["text/plain", () => "\0".repeat(60_000)],
];
const HEADERS: Record<string, string>[] = [
  {},
  { Authorization: "Bearer x.y.z" },
  { Authorization: `Bearer ${"e".repeat(6000)}` },
  { Range: "bytes=0-,1-,2-", Prefer: "timezone=Europe/London,".repeat(200) },
  { Accept: "a/b;q=0.1,".repeat(500), "Accept-Encoding": "br;q=2,,,;", Cookie: "=;".repeat(1000) },
  { "X-Forwarded-For": "1.2.3.4,".repeat(300), Origin: "null", "Content-Profile": "pg_catalog" },
  { "Tus-Resumable": "1.0.0", "Upload-Length": "99999999999999", "Upload-Metadata": "bucketName !,objectName %" },
];
const SENDERS = 4;
/** Longest answer another visitor may get, in ms. */
const LONGEST_WAIT_MS = 1000;
/** The overload answers that the API documents. */
const DOCUMENTED = new Set([501, 503, 507]);

/** Sends generated hostile requests to every public endpoint while another visitor reads pages. */
export async function hostileRequests(seconds: number): Promise<Result> {
  await using directory = await roundDirectory();
  await using product = await startProduct(directory.path);
  const before = await residentMegabytes(product.child.pid);
  const end = performance.now() + seconds * 1000;
  const statuses = new Map<number, number>();
  const failures = new Map<string, number>();
  const waits: number[] = [];
  let failedVisits = 0;
  await Promise.all([
    ...Array.from({ length: SENDERS }, async () => {
      while (performance.now() < end) {
        const method = pick(METHODS);
        const path = pick(PATHS);
        const query = pick(QUERIES);
        const [type, body] = pick(BODIES);
        const headers = { ...pick(HEADERS), apikey: product.publishableKey, "Content-Type": type };
        const url = product.url + path + (path.includes("?") ? query.replace("?", "&") : query);
        const status = await send(url, method, headers, method === "GET" || method === "HEAD" ? "" : body());
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (status >= 500 && !DOCUMENTED.has(status)) {
          const shape = `${status} ${method} ${path} ${query.slice(0, 30)} ${type}`;
          failures.set(shape, (failures.get(shape) ?? 0) + 1);
        }
      }
    }),
    (async () => {
      while (performance.now() < end) {
        const started = performance.now();
        const answer = await fetch(`${product.url}/blog`, { signal: AbortSignal.timeout(30_000) }).catch(() => undefined);
        await answer?.arrayBuffer();
        waits.push(performance.now() - started);
        if (!answer?.ok) failedVisits += 1;
        await delay(20);
      }
    })(),
  ]);
  await delay(5000);
  const after = await residentMegabytes(product.child.pid);
  const total = [...statuses.values()].reduce((sum, count) => sum + count, 0);
  for (const [shape, count] of [...failures].toSorted((a, b) => b[1] - a[1]).slice(0, 20)) console.log(`  ${count} × ${shape}`);
  const longest = percentile(waits, 1);
  const unexpected = [...failures.values()].reduce((sum, count) => sum + count, 0);
  return {
    ok: unexpected === 0 && failedVisits === 0 && longest <= LONGEST_WAIT_MS,
    figures: {
      requests: total,
      "unexpected 5xx": unexpected,
      "dropped connections": statuses.get(0) ?? 0,
      "visitor p99 ms": percentile(waits, 0.99),
      "visitor longest ms": longest,
      "failed visits": failedVisits,
      "MB before": before,
      "MB after": after,
    },
  };
}

/** Sends one request as it is, without the checks of `fetch`; returns its status, or 0 if the connection was closed. */
function send(url: string, method: string, headers: Record<string, string>, body: string): Promise<number> {
  return new Promise((resolve) => {
    const sent = request(
      url,
      { method, headers: { ...headers, "Content-Length": Buffer.byteLength(body) }, timeout: 60_000 },
      (response) => {
        response.resume().on("close", () => resolve(response.statusCode ?? 0));
      },
    );
    sent.on("error", () => resolve(0)).on("timeout", () => sent.destroy());
    sent.end(body);
  });
}

function pick<T>(choices: readonly T[]): T {
  const choice = choices[Math.floor(Math.random() * choices.length)];
  if (choice === undefined) throw new Error("There is nothing to pick from.");
  return choice;
}
