import pino from "pino";
import { expect, onTestFinished, test, vi } from "vitest";
import { openTestPglite } from "../../test/database.ts";
import { createDatabaseBudget } from "../anonymous/database-budget.ts";
import { realtimeSchema } from "../config/realtime.ts";
import { DatabaseError } from "../db/database.ts";
import { createIdentify, createResolveCredential } from "../identity.ts";
import { createJwtKeys, generateSigningKey } from "../jwt.ts";
import { realtimeOnDemand } from "./on-demand.ts";

test("a process that stops while its realtime API cannot be opened stops without an error", async () => {
  const database = await openTestPglite();
  onTestFinished(() => database.close());
  const jwt = await createJwtKeys([await generateSigningKey()], "a-shared-secret-for-tests-of-32-bytes");
  const keys = { publishableKey: "sb_publishable_on_demand", secretKey: "sb_secret_on_demand" };
  const realtime = realtimeOnDemand({
    database,
    resolve: createResolveCredential(keys, jwt),
    identify: createIdentify(keys, jwt),
    config: { realtime: realtimeSchema.parse({}) },
    budget: createDatabaseBudget(() => 0),
    log: pino({ level: "silent" }),
  });
  using _listen = vi.spyOn(database, "listen").mockRejectedValue(new DatabaseError("The database is away.", { code: "08006" }));
  const answer = realtime.fetch(new Request("http://localhost/realtime/v1/api/broadcast", { method: "POST" }), {
    clientAddress: "127.0.0.1",
  });
  realtime.webSockets.drain();
  const closed = realtime.close();
  await expect(answer).rejects.toThrow("The database is away.");
  expect(await closed).toBeUndefined();
});
