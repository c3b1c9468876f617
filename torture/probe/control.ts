import { createServer } from "node:http";

// A server that answers at once: the wait of its probes is caused by the machine.

const server = createServer((_request, response) => response.end("ok"));
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address !== null && typeof address === "object") process.send?.(address.port);
});
process.on("disconnect", () => process.exit());
