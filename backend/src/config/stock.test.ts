import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestPglite } from "../../test/database.ts";
import { readConfig } from "./config.ts";
import { type Backend, createBackend } from "../index.ts";
import { generateSigningKey } from "../jwt/jwt.ts";

describe("the config.toml of a new Supabase project", () => {
  let supabaseDir: string;
  let stock: string;
  const logged: { msg: string; keys?: string[] }[] = [];
  const log = pino({ level: "warn" }, { write: (line) => void logged.push(JSON.parse(line)) });

  beforeAll(async () => {
    supabaseDir = join(await mkdtemp(join(tmpdir(), "larkfell-stock-")), "supabase");
    await mkdir(supabaseDir);
    stock = await readFile(new URL("stock.toml", import.meta.url), "utf8");
  });
  afterAll(() => rm(join(supabaseDir, ".."), { recursive: true, force: true }));

  /** The keys in the warnings about a config.toml, in order. */
  async function warnedOf(text: string): Promise<string[]> {
    await writeFile(join(supabaseDir, "config.toml"), text);
    logged.length = 0;
    await readConfig(supabaseDir, { log, env: {} });
    return logged.flatMap(({ keys = [] }) => keys);
  }

  async function start(): Promise<Backend> {
    const secrets = {
      publishableKey: "sb_publishable_stock",
      secretKey: "sb_secret_stock",
      jwtSecret: "x".repeat(32),
      signingKeys: [await generateSigningKey()],
    };
    return createBackend({ supabaseDir, database: await openTestPglite(), secrets, url: "http://stock.example", log });
  }

  test("starts with warnings about the missing feature only: GraphQL", async () => {
    expect(await warnedOf(stock)).toEqual(["api.schemas"]);
    const backend = await start();
    expect((await backend.fetch(new Request("http://stock.example/auth/v1/health"))).status).toBe(200);
    expect((await backend.fetch(new Request("http://stock.example/storage/v1/status"))).status).toBe(200);
    await backend.close();
  });

  test("without storage and realtime starts, and the other APIs answer", async () => {
    const [storage, realtime] = ["[storage]\nenabled = ", "[realtime]\nenabled = "];
    for (const section of [storage, realtime]) expect(stock).toContain(`${section}true`);
    await warnedOf(stock.replace(`${storage}true`, `${storage}false`).replace(`${realtime}true`, `${realtime}false`));
    const backend = await start();
    const get = (path: string): Promise<Response> =>
      backend.fetch(new Request(`http://stock.example${path}`, { headers: { apikey: "sb_secret_stock" } }));
    expect((await get("/rest/v1/")).status).toBe(200);
    for (const path of ["/storage/v1/bucket", "/realtime/v1/websocket"]) {
      const refused = await get(path);
      expect([refused.status, await refused.json()]).toEqual([404, { code: "not_found", message: "There is no API at this address." }]);
    }
    expect(backend.webSockets).toBeUndefined();
    await backend.close();
  });

  test("changes the limits of realtime", async () => {
    await warnedOf(stock.replace("[realtime]\n", "[realtime]\nprivate_only = true\nmax_payload_size_in_kb = 1\n"));
    const backend = await start();
    const broadcast = async (query: string, text: string) => {
      const headers = { apikey: "sb_secret_stock", "Content-Type": "application/json" };
      const url = `http://stock.example/realtime/v1/api/broadcast/t/events/e${query}`;
      return (await backend.fetch(new Request(url, { method: "POST", headers, body: JSON.stringify({ text }) }))).status;
    };
    expect(await broadcast("", "")).toBe(403);
    expect(await broadcast("?private=true", "")).toBe(202);
    expect(await broadcast("?private=true", "x".repeat(1024))).toBe(422);
    await backend.close();
  });

  const lacking: [what: string, table: string, key: string][] = [
    ["WebAuthn", "[auth.mfa.web_authn]\nenroll_enabled = true\nverify_enabled = true", "auth.mfa.web_authn"],
    ["passkeys", "[auth.passkey]\nenabled = true", "auth.passkey"],
    ["a captcha", '[auth.captcha]\nenabled = true\nprovider = "hcaptcha"\nsecret = "x"', "auth.captcha"],
    ["a hook", '[auth.hook.custom_access_token]\nenabled = true\nuri = "pg-functions://a/b/c"', "auth.hook.custom_access_token"],
    [
      "mail about account changes",
      "[auth.email.notification.password_changed]\nenabled = true",
      "auth.email.notification.password_changed",
    ],
    ["an SMS provider", "[auth.sms.vonage]\nenabled = true", "auth.sms.vonage"],
    ["third-party tokens", "[auth.third_party.workos]\nenabled = true", "auth.third_party.workos"],
    ["a different issuer", '[auth]\njwt_issuer = "https://a.example"', "auth.jwt_issuer"],
  ];
  test.each(lacking)("%s, switched on, causes a warning with its key", async (_what, table, key) => {
    expect(await warnedOf(table)).toEqual([expect.stringMatching(new RegExp(`^${key.replaceAll(".", "\\.")}`))]);
    expect(await warnedOf(table.replaceAll("= true", "= false"))).toEqual(table.includes("= true") ? [] : [key]);
  });
});
