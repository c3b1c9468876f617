import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testLog } from "../../test/database.ts";
import { readConfig } from "../config/config.ts";
import { IN_PROCESS } from "../connection.ts";
import { createIdentify } from "../identity.ts";
import { createJwtKeys, generateSigningKey, type JwtKeys } from "../jwt/jwt.ts";
import { createFunctions } from "./index.ts";

const keys = { publishableKey: "sb_publishable_functions_test", secretKey: "sb_secret_functions_test" };
const COUNT_BYTES = "export default { fetch: async (request) => new Response((await request.arrayBuffer()).byteLength) };";

let supabaseDir: string;
let jwt: JwtKeys;
let functions: ReturnType<typeof createFunctions>;

beforeAll(async () => {
  supabaseDir = await mkdtemp(join(tmpdir(), "larkfell-functions-"));
  await writeFile(join(supabaseDir, "config.toml"), "[functions.open]\nverify_jwt = false\n");
  for (const name of ["open", "closed", "sendMail_2", "_shared"]) {
    await mkdir(join(supabaseDir, "functions", name), { recursive: true });
    await writeFile(join(supabaseDir, "functions", name, "index.ts"), COUNT_BYTES);
  }
  jwt = await createJwtKeys([await generateSigningKey()], "a-shared-secret-for-tests-of-32-bytes");
  functions = createFunctions({
    supabaseDir,
    config: await readConfig(supabaseDir),
    identify: createIdentify(keys, jwt),
    keys,
    url: "http://functions.test",
    fetch,
    log: testLog,
  });
});

afterAll(() => rm(supabaseDir, { recursive: true, force: true }));

const KIB = 1024;

async function send(name: string, bytes: number, key: string | null, stated = true): Promise<{ status: number; read: boolean }> {
  const headers = { ...(key === null ? {} : { Authorization: `Bearer ${key}` }), ...(stated ? { "Content-Length": String(bytes) } : {}) };
  const request = new Request(`http://functions.test/functions/v1/${name}`, { method: "POST", body: new Uint8Array(bytes), headers });
  const { status } = await functions.fetch(request, IN_PROCESS);
  return { status, read: request.bodyUsed };
}

test("a body may be as long as the role of the caller allows, and a longer one is refused before it is read", async () => {
  const token = await jwt.sign({ sub: "somebody", role: "authenticated" });
  const withoutRole = await jwt.sign({ sub: "somebody" });
  for (const [key, limit] of [
    [keys.publishableKey, 64 * KIB],
    [withoutRole, 64 * KIB],
    [token, KIB * KIB],
    [keys.secretKey, 10 * KIB * KIB],
  ] as const) {
    expect(await send("closed", limit, key)).toEqual({ status: 200, read: true });
    expect(await send("closed", limit + 1, key)).toEqual({ status: 413, read: false });
    expect(await send("closed", limit + 1, key, false)).toMatchObject({ status: 413 });
  }
});

test("a caller without a key is refused, or anonymous for a function that checks its callers itself", async () => {
  expect(await send("closed", 1, null)).toEqual({ status: 401, read: false });
  expect(await send("open", 64 * KIB, null)).toEqual({ status: 200, read: true });
  expect(await send("open", 64 * KIB + 1, null)).toEqual({ status: 413, read: false });
  expect(await send("open", KIB * KIB, keys.secretKey)).toEqual({ status: 200, read: true });
});

test("the names of functions are those that the Supabase CLI allows", async () => {
  expect((await send("sendMail_2", 1, keys.publishableKey)).status).toBe(200);
  expect((await send("_shared", 1, keys.publishableKey)).status).toBe(404);
});
