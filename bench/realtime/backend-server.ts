import { createServer } from "node:http";
import { getRequestListener } from "@hono/node-server";
import pino from "pino";
import { createBackend, generateSigningKey } from "../../backend/src/index.ts";
import { openPglite } from "../../backend/src/db/pglite/pglite.ts";

// The backend on PGlite with the project in a directory. `POST /insert` writes a row and answers with the time of its commit in ms
// since 1970. Arguments: the port, the directory, the publishable and the secret key.

const [port = "", supabaseDir = "", publishableKey = "", secretKey = ""] = process.argv.slice(2);
const log = pino({ level: "error" });
const database = await openPglite({ log });
const secrets = { publishableKey, secretKey, jwtSecret: "a-shared-secret-for-benchmarks-32", signingKeys: [await generateSigningKey()] };
const backend = await createBackend({ supabaseDir, database, secrets, url: `http://127.0.0.1:${port}`, log });
let rows = 0;

async function answer(request: Request): Promise<Response> {
  if (!request.url.endsWith("/insert")) return backend.fetch(request, { clientAddress: "127.0.0.1", inProcess: true });
  const id = (rows += 1);
  await database.transaction((tx) => tx.query("insert into public.seats values ($1, 'a seat')", [id]));
  return Response.json({ id, at: performance.timeOrigin + performance.now() });
}

const listener = getRequestListener(answer, { overrideGlobalObjects: false });
const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));
server.on("upgrade", (incoming, socket, head) => backend.webSockets?.accept(incoming, socket, head, { clientAddress: "127.0.0.1" }));
server.listen(Number(port), "127.0.0.1");
