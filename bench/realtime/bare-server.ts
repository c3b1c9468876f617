import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { WebSocketServer } from "ws";

// The baseline: sends each frame back to its sender, or with TO_ALL=true to all clients. A POST of a row sends a frame with it to all
// clients, as long as the product's; a GET answers with rows. There is no database.

const { PORT, TO_ALL } = process.env;
const ROWS = JSON.stringify(Array.from({ length: 20 }, (_, id) => ({ id })));
const CHANGE = {
  schema: "public",
  table: "seats",
  type: "INSERT",
  commit_timestamp: new Date(0).toISOString(),
  columns: [
    { name: "id", type: "int4" },
    { name: "note", type: "text" },
  ],
};

const http = createServer((request, response) => void answer(request, response));
const server = new WebSocketServer({ server: http, perMessageDeflate: false });
server.on("connection", (client) => {
  client.on("message", (data, isBinary) => {
    if (!Buffer.isBuffer(data)) return;
    for (const one of TO_ALL === "true" ? server.clients : [client]) one.send(data, { binary: isBinary });
  });
});
http.listen(Number(PORT), "127.0.0.1");

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === "POST") {
    const record: unknown = JSON.parse(await text(request));
    const payload = { ids: [1], data: { ...CHANGE, record, errors: null } };
    const frame = JSON.stringify([null, null, "realtime:bench", "postgres_changes", payload]);
    for (const client of server.clients) client.send(frame);
  }
  response.setHeader("Content-Type", "application/json");
  response.end(ROWS);
}
