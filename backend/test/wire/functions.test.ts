import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { IN_PROCESS } from "../../src/connection.ts";
import { createFunctions } from "../../src/functions/index.ts";
import { createIdentify } from "../../src/identity.ts";
import { createJwtKeys, generateSigningKey } from "../../src/jwt/jwt.ts";
import { testLog } from "../database.ts";

const KEYS = { publishableKey: "sb_publishable_functions_test", secretKey: "sb_secret_functions_test_key" };
const ECHO = `export default { fetch: async (request) => Response.json({ url: request.url, body: await request.text() }) };`;

let supabaseDir: string;
let functions: ReturnType<typeof createFunctions>;
beforeAll(async () => {
  supabaseDir = await mkdtemp(join(tmpdir(), "larkfell-functions-"));
  await mkdir(join(supabaseDir, "functions/echo"), { recursive: true });
  await writeFile(join(supabaseDir, "functions/echo/index.ts"), ECHO);
  await writeFile(join(supabaseDir, "config.toml"), "");
  const jwt = await createJwtKeys([await generateSigningKey()], "a-shared-secret-for-tests-of-32-bytes");
  functions = createFunctions({
    supabaseDir,
    config: await readConfig(supabaseDir, { log: testLog }),
    identify: createIdentify(KEYS, jwt),
    keys: KEYS,
    url: "http://functions.test",
    fetch,
    log: testLog,
  });
});
afterAll(() => rm(supabaseDir, { recursive: true, force: true }));

function call(path: string, init: RequestInit = {}): Promise<Response> {
  return functions.fetch(new Request(`http://functions.test/functions/v1${path}`, init), IN_PROCESS);
}

test.each([
  ["/echo", "/echo"],
  ["/echo/more?name=a%20b", "/echo/more?name=a%20b"],
])("a function called at %s sees the path %s and the body", async (path, seen) => {
  const body = "text";
  const headers = { apikey: KEYS.publishableKey, "Content-Length": String(body.length) };
  for (const length of [headers, { apikey: KEYS.publishableKey }]) {
    const response = await call(path, { method: "POST", headers: length, body });
    expect(await response.json()).toEqual({ url: `http://functions.test${seen}`, body });
  }
});

test("a caller without a key gets 401 with a code and a message", async () => {
  const response = await call("/echo");
  expect([response.status, await response.json()]).toEqual([401, { code: "unauthorized", message: expect.any(String) }]);
});
