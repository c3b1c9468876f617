import { readFile } from "node:fs/promises";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { createDatabaseBudget } from "../../../src/anonymous/database-budget.ts";
import type { Config } from "../../../src/config/config.ts";
import { IN_PROCESS, type Connection } from "../../../src/connection.ts";
import type { Database } from "../../../src/db/database.ts";
import { createIdentify } from "../../../src/identity.ts";
import { CLOCK_SKEW_SECONDS, createJwtKeys, generateSigningKey, type JwtKeys } from "../../../src/jwt/jwt.ts";
import { createRest } from "../../../src/rest/index.ts";
import { testLog, type OpenDatabase } from "../../database.ts";

export const USER_ID = "11111111-1111-4111-8111-111111111111";
export const PUBLISHABLE_KEY = "sb_publishable_rest_test_key";
export const SECRET_KEY = "sb_secret_rest_test_key_value";
export const SHARED_SECRET = "a-shared-secret-for-tests-of-32-bytes";
const URL_BASE = "http://rest.test";

/** A `/rest/v1` on a fresh database with the fixture's schema, and its clients. */
export interface RestFixture {
  database: Database;
  jwt: JwtKeys;
  anon: SupabaseClient;
  staff: SupabaseClient;
  admin: SupabaseClient;
  /** A request as curl would send it; the key is the publishable one unless the headers contain another. */
  raw(path: string, init?: RequestInit, connection?: Partial<Connection>): Promise<Response>;
  /** The API itself, for a listener. */
  fetch(request: Request): Promise<Response>;
  reload(): Promise<void>;
}

/** Opens the fixture; `api` overrides settings of `config.toml`. */
export async function openRestFixture(open: OpenDatabase, api: Partial<Config["api"]> = {}): Promise<RestFixture> {
  const database = await open({ scripts: [await readFile(new URL("fixture.sql", import.meta.url), "utf8")] });
  const jwt = await createJwtKeys([await generateSigningKey()], SHARED_SECRET);
  const identify = createIdentify({ publishableKey: PUBLISHABLE_KEY, secretKey: SECRET_KEY }, jwt, CLOCK_SKEW_SECONDS);
  const config: Pick<Config, "api"> = {
    api: {
      schemas: ["public", "library"],
      extra_search_path: ["public", "extensions"],
      max_rows: 1000,
      aggregates_enabled: false,
      plan_enabled: false,
      tx_end: "commit",
      ...api,
    },
  };
  const rest = createRest({ database, identify, config, budget: createDatabaseBudget(), log: testLog });
  const fetch: typeof globalThis.fetch = (input, init) => rest.fetch(new Request(input, init));
  const token = await jwt.sign({ sub: USER_ID, role: "authenticated", exp: Math.floor(Date.now() / 1000) + 3600 });
  const client = (key: string, accessToken?: string): SupabaseClient =>
    createClient(URL_BASE, key, { global: { fetch }, ...(accessToken === undefined ? {} : { accessToken: async () => accessToken }) });
  return {
    database,
    jwt,
    anon: client(PUBLISHABLE_KEY),
    staff: client(PUBLISHABLE_KEY, token),
    admin: client(SECRET_KEY),
    raw(path, init = {}, connection = {}) {
      const headers = new Headers(init.headers);
      if (!headers.has("apikey") && !headers.has("x-no-key")) headers.set("apikey", PUBLISHABLE_KEY);
      return rest.fetch(new Request(`${URL_BASE}/rest/v1${path}`, { ...init, headers }), { ...IN_PROCESS, ...connection });
    },
    fetch: (request) => rest.fetch(request),
    reload: rest.reload,
  };
}
