import type { Target } from "./endpoints.ts";
import type { Random } from "./random.ts";
import type { HostileRequest } from "./hostile-request.ts";

/** Bytes that are not a single HTTP request: several requests at once, other protocols, and text that is no HTTP. */
export function rawRequest(
  random: Random,
  { port, publishableKey, slug }: Target,
): Pick<HostileRequest, "endpoint" | "pieces" | "leaves" | "complete"> {
  const host = `Host: 127.0.0.1:${port}\r\napikey: ${publishableKey}\r\n`;
  const paths = ["/", "/cctv", `/blog/${slug}`, "/rest/v1/course_dates?select=id", "/auth/v1/health", "/enquiry", "/health"];
  const get = (last = false): string => `GET ${random.pick(paths)} HTTP/1.1\r\n${host}${last ? "Connection: close\r\n" : ""}\r\n`;
  const raw = (endpoint: string, text: string | Buffer, { leaves = false, complete = true } = {}) => ({
    endpoint: `socket: ${endpoint}`,
    pieces: [Buffer.isBuffer(text) ? text : Buffer.from(text, "latin1")],
    leaves,
    complete,
  });
  return random.pick([
    () => raw("pipelined", Array.from({ length: random.pick([2, 5, 15]) }, () => get()).join("") + get(true)),
    () => raw("pipelined beyond the limit", Array.from({ length: random.pick([40, 200]) }, () => get()).join("")),
    () => raw("pipelined, left unread", Array.from({ length: 15 }, () => get()).join(""), { leaves: true }),
    () =>
      raw(
        "smuggled request",
        `POST /enquiry HTTP/1.1\r\n${host}Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${get(true)}`,
      ),
    () => raw("smuggled by a bare line feed", `GET / HTTP/1.1\n${host}X: y\n\n${get(true)}`),
    () => raw("huge header", `GET / HTTP/1.1\r\n${host}X: ${"x".repeat(random.pick([15_000, 17_000, 200_000]))}\r\n\r\n`),
    () => raw("many headers", `GET / HTTP/1.1\r\n${host}${"a: b\r\n".repeat(random.pick([1500, 2500, 20_000]))}\r\n`),
    () => raw("huge path", `GET /${"a/".repeat(random.pick([4000, 7000, 50_000]))} HTTP/1.1\r\n${host}Connection: close\r\n\r\n`),
    () => raw("folded header", `GET / HTTP/1.1\r\n${host}X: a\r\n b\r\nConnection: close\r\n\r\n`),
    () => raw("zero bytes", "\0".repeat(1000)),
    () => raw("random bytes", Buffer.from(Array.from({ length: 600 }, () => random.below(256))), { complete: false }),
    () => raw("TLS", Buffer.from("16030100c8010000c40303", "hex"), { complete: false }),
    () => raw("HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\x12\x04\0\0\0\0\0"),
    () =>
      raw(
        "h2c upgrade",
        `GET / HTTP/1.1\r\n${host}Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n`,
      ),
    () =>
      raw(
        "WebSocket",
        `GET ${random.pick(["/", "/realtime/v1/websocket", "/rest/v1/course_dates"])} HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n\x81\xfe\xff\xff\0\0\0\0${"x".repeat(2000)}`,
      ),
    () => raw("CONNECT", `CONNECT 127.0.0.1:${port} HTTP/1.1\r\n${host}\r\n${get(true)}`),
    () => raw("OPTIONS *", `OPTIONS * HTTP/1.1\r\n${host}Connection: close\r\n\r\n`),
    () => raw("no host", "GET / HTTP/1.1\r\nConnection: close\r\n\r\n"),
    () => raw("two hosts", `GET / HTTP/1.1\r\n${host}Host: evil.example\r\nConnection: close\r\n\r\n`),
    () => raw("HTTP/0.9", "GET /\r\n", { complete: false }),
    () =>
      raw(
        "chunk extensions",
        `POST /enquiry HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n${`1;${"x".repeat(5000)}\r\na\r\n`.repeat(5)}0\r\n\r\n`,
      ),
    () =>
      raw(
        "trailers",
        `POST /auth/v1/otp HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\nTrailer: Authorization\r\nConnection: close\r\n\r\n2\r\n{}\r\n0\r\nAuthorization: Bearer x\r\n\r\n`,
      ),
    () =>
      raw(
        "tiny chunks",
        `POST /auth/v1/otp HTTP/1.1\r\n${host}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n${"1\r\n \r\n".repeat(20_000)}0\r\n\r\n`,
      ),
    () => raw("half a request line", "GE", { leaves: random.chance(0.5), complete: false }),
  ])();
}
