import { readFileSync } from "node:fs";
import { createServer } from "node:http";

// The limit of cached pages: a minimal Node server that sends the same bytes and headers from memory.
// Arguments: port, file of the body, headers as JSON.
const [port, file, json] = process.argv.slice(2);
if (port === undefined || file === undefined || json === undefined) throw new Error("usage: static-server.ts <port> <file> <headers>");
const body = readFileSync(file);
const headers: Record<string, string> = JSON.parse(json);

createServer((_request, response) => {
  response.writeHead(200, headers).end(body);
}).listen(Number(port), "127.0.0.1");
