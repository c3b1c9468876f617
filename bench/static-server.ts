import { readFileSync } from "node:fs";
import { createServer } from "node:http";

// The baseline for cached pages: a minimal Node server that sends the same bytes from memory. Arguments: port, file, content encoding.
const [port, file, encoding] = process.argv.slice(2);
if (port === undefined || file === undefined || encoding === undefined) throw new Error("usage: static-server.ts <port> <file> <encoding>");
const body = readFileSync(file);
const headers = { "Content-Type": "text/html; charset=utf-8", "Content-Length": body.length, "Content-Encoding": encoding };

createServer((_request, response) => {
  response.writeHead(200, headers).end(body);
}).listen(Number(port), "127.0.0.1");
