import { createServer } from "node:http";

// A process that answers at once: what a probe of it waits for is the machine.

const server = createServer((_request, response) => response.end("ok"));
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address !== null && typeof address === "object") process.send?.(address.port);
});
process.on("disconnect", () => process.exit());
