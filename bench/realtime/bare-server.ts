import { WebSocketServer } from "ws";

// The baseline: sends a frame back to its sender, or to all clients if its first byte is "a". Arguments: the port.

const server = new WebSocketServer({ host: "127.0.0.1", port: Number(process.argv[2]), perMessageDeflate: false });
server.on("connection", (client) => {
  client.on("message", (data, isBinary) => {
    if (!Buffer.isBuffer(data)) return;
    if (data[0] !== "a".charCodeAt(0)) return client.send(data, { binary: isBinary });
    for (const one of server.clients) one.send(data, { binary: isBinary });
  });
});
