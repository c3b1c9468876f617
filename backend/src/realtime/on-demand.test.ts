import { once } from "node:events";
import { createServer } from "node:http";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import pino from "pino";
import { expect, onTestFinished, test, vi } from "vitest";
import { WebSocket } from "ws";
import { openTestPglite } from "../../test/database.ts";
import { createDatabaseBudget } from "../anonymous/database-budget.ts";
import { realtimeSchema } from "../config/realtime.ts";
import { DatabaseError } from "../db/database.ts";
import { createIdentify, createResolveCredential } from "../identity.ts";
import { createJwtKeys, generateSigningKey } from "../jwt/jwt.ts";
import { realtimeOnDemand } from "./on-demand.ts";

const PUBLISHABLE_KEY = "sb_publishable_on_demand";

async function openOnDemand() {
  const database = await openTestPglite();
  onTestFinished(() => database.close());
  const jwt = await createJwtKeys([await generateSigningKey()], "a-shared-secret-for-tests-of-32-bytes");
  const keys = { publishableKey: PUBLISHABLE_KEY, secretKey: "sb_secret_on_demand" };
  const realtime = realtimeOnDemand({
    database,
    resolve: createResolveCredential(keys, jwt),
    identify: createIdentify(keys, jwt),
    config: { realtime: realtimeSchema.parse({}) },
    budget: createDatabaseBudget(() => 0),
    log: pino({ level: "silent" }),
  });
  return { database, realtime };
}

test("a process that stops while its realtime API cannot be opened stops without an error", async () => {
  const { database, realtime } = await openOnDemand();
  using _listen = vi.spyOn(database, "listen").mockRejectedValue(new DatabaseError("The database is away.", { code: "08006" }));
  const answer = realtime.fetch(new Request("http://localhost/realtime/v1/api/broadcast", { method: "POST" }), {
    clientAddress: "127.0.0.1",
  });
  realtime.webSockets.drain();
  const closed = realtime.close();
  await expect(answer).rejects.toThrow("The database is away.");
  expect(await closed).toBeUndefined();
});

test("an open socket does not keep the request that opened it in memory", async () => {
  const { realtime } = await openOnDemand();
  const requests: WeakRef<object>[] = [];
  const server = createServer();
  server.on("upgrade", (incoming, socket, head) => {
    requests.push(new WeakRef(incoming));
    realtime.webSockets.accept(incoming, socket, head, { clientAddress: "127.0.0.1" });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const client = new WebSocket(`ws://127.0.0.1:${port}/realtime/v1/websocket?apikey=${PUBLISHABLE_KEY}`);
  await once(client, "open");
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  await expect
    .poll(() => {
      collect();
      return requests.map((request) => request.deref());
    })
    .toEqual([undefined]);
  expect(client.readyState).toBe(WebSocket.OPEN);
  client.terminate();
  await realtime.close();
  server.close();
});
