import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { expect, onTestFinished, test } from "vitest";
import { createApp } from "./app.ts";
import { readConfig } from "./config/config.ts";
import { IN_PROCESS } from "./connection.ts";
import { createFunctions } from "./functions/index.ts";
import { createIdentify } from "./identity.ts";
import { createJwtKeys, generateSigningKey } from "./jwt/jwt.ts";

test("the log line of a failed request contains its route and cause, but no query, header, body, id or address", async () => {
  const supabaseDir = await mkdtemp(join(tmpdir(), "larkfell-app-"));
  onTestFinished(() => rm(supabaseDir, { recursive: true }));
  await writeFile(join(supabaseDir, "config.toml"), "");
  await mkdir(join(supabaseDir, "functions/broken"), { recursive: true });
  await writeFile(join(supabaseDir, "functions/broken/index.ts"), `throw new Error("the module cannot be loaded");`);
  const lines: string[] = [];
  const log = pino({ base: null }, { write: (line: string) => void lines.push(line) });
  const keys = { publishableKey: "sb_publishable_of-the-app-test", secretKey: "sb_secret_of-the-app-test" };
  const jwt = await createJwtKeys([await generateSigningKey()], "a-shared-secret-for-tests-of-32-bytes");
  const token = await jwt.sign({ sub: "somebody", role: "authenticated" });
  const url = "http://app.test";
  const config = await readConfig(supabaseDir, { log });
  const functions = createFunctions({ supabaseDir, config, identify: createIdentify(keys, jwt), keys, url, fetch, log });
  const app = createApp({ "/functions/v1": functions }, log);

  const id = crypto.randomUUID();
  const request = new Request(`${url}/functions/v1/broken/${id}/ada@larkfell.example?apikey=${keys.secretKey}&email=bo@larkfell.example`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, apikey: keys.publishableKey, Cookie: "visit=a-cookie" },
    body: "name=Cy&password=a-password",
  });
  const response = await app.fetch(request, { ...IN_PROCESS, clientAddress: "203.0.113.9" });

  expect([response.status, await response.json()]).toEqual([
    500,
    { code: "internal_error", message: "The request could not be answered." },
  ]);
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({
    level: 50,
    msg: "request failed",
    route: "/functions/v1/broken/:id/:address",
    err: { message: "the module cannot be loaded" },
  });
  for (const secret of [id, "ada", "bo@", "sb_", token, "a-cookie", "a-password", "203.0.113.9"]) expect(lines[0]).not.toContain(secret);
});
