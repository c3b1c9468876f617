import { WebSocketServer } from "ws";

// The baseline: sends each frame back to its sender, or with TO_ALL=true to all clients.

const { PORT, TO_ALL } = process.env;
const server = new WebSocketServer({ host: "127.0.0.1", port: Number(PORT), perMessageDeflate: false });
server.on("connection", (client) => {
  client.on("message", (data, isBinary) => {
    if (!Buffer.isBuffer(data)) return;
    for (const one of TO_ALL === "true" ? server.clients : [client]) one.send(data, { binary: isBinary });
  });
});
