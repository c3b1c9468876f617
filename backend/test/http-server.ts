import { once } from "node:events";
import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";

/** An HTTP server of a test on a free port of this machine. */
export interface TestHttpServer {
  url: string;
  close(): Promise<void>;
}

/** Serves a `fetch` function over HTTP on a free port. */
export async function serveHttp(fetch: (request: Request) => Promise<Response>): Promise<TestHttpServer> {
  const answer = getRequestListener((request) => fetch(request), { overrideGlobalObjects: false });
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The server has no port.");
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
