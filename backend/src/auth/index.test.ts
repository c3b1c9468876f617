import { beforeAll, expect, test } from "vitest";
import type { Database } from "../db/database.ts";
import { describeDatabases } from "../../test/database.ts";
import { clientNetwork, ipAddress } from "../client-network.ts";
import { SITE_URL, PASSWORD, fillBuckets, startAuth, type TestAuth } from "./fixture.ts";

const addresses: [address: string, ip: string | null, network: string][] = [
  ["192.0.2.1", "192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1", "192.0.2.1"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
  ["2001:DB8:1:2::9", "2001:db8:1:2::9", "2001:db8:1:2"],
  ["2001:db8::9", "2001:db8::9", "2001:db8:0:0"],
  ["::1", "::1", "0:0:0:0"],
  ["fe80::1%eth0", "fe80::1", "fe80:0:0:0"],
  ["unknown", null, "unknown"],
];
test.each(addresses)("the rate limits count the client at %s by its network", (address, ip, network) => {
  expect([ipAddress(address), clientNetwork(address)]).toEqual([ip, network]);
});

describeDatabases("the auth API", (open) => {
  let database: Database;
  let api: TestAuth;

  beforeAll(async () => {
    database = await open();
    api = await startAuth(database);
  });

  test("errors have the legacy form without a version", async () => {
    const { status, headers, body } = await api.send("GET", "/user");
    expect(body).toEqual({ code: 401, error_code: "no_authorization", msg: "This endpoint requires a valid Bearer token" });
    expect([status, headers.get("x-sb-error-code"), headers.get("x-supabase-api-version")]).toEqual([401, "no_authorization", null]);
  });

  test("other work does not wait for all requests of a flood", async () => {
    let answered = 0;
    const refresh = async () => {
      await api.send("POST", "/token?grant_type=refresh_token", { body: { refresh_token: crypto.randomUUID() } });
      answered += 1;
    };
    const flood = Array.from({ length: 64 }, refresh);
    await Promise.race(flood);
    const before = answered;
    await database.transaction((tx) => tx.query("select"));
    expect(answered - before).toBeLessThan(32);
    await Promise.all(flood);
  });

  test.each(["2024-01-01", "2025-06-01"])(
    "errors have the coded form for version %s, and the response names its version",
    async (version) => {
      const { headers, body } = await api.send("GET", "/user", { headers: { "X-Supabase-Api-Version": version } });
      expect(body).toEqual({ code: "no_authorization", message: "This endpoint requires a valid Bearer token" });
      expect([headers.get("x-sb-error-code"), headers.get("x-supabase-api-version")]).toEqual(["no_authorization", "2024-01-01"]);
    },
  );

  test.each(["2023-12-31", "latest", ""])("version %o gets the legacy form", async (version) => {
    expect((await api.send("GET", "/user", { headers: { "X-Supabase-Api-Version": version } })).body.code).toBe(401);
  });

  test("both forms of an error contain the reasons of a weak password", async () => {
    const body = { email: "a@larkfell.example", password: "short" };
    const legacy = await api.send("POST", "/signup", { body });
    const coded = await api.send("POST", "/signup", { body, headers: { "X-Supabase-Api-Version": "2024-01-01" } });
    for (const answer of [legacy, coded]) expect(answer.body).toMatchObject({ weak_password: { reasons: ["length"] } });
  });

  const unreadable: [what: string, body: string][] = [
    ["nothing", ""],
    ["invalid JSON", "{"],
    ["an array", '["a"]'],
    ["null", "null"],
    ["a number instead of a text", '{"email":1,"password":"x"}'],
  ];
  test.each(unreadable)("a body of %s is bad JSON", async (_what, body) => {
    for (const path of ["/token?grant_type=password", "/token?grant_type=refresh_token", "/signup", "/setup"]) {
      const answer = await api.send("POST", path, { body: body.replace("email", path.includes("refresh") ? "refresh_token" : "email") });
      expect([answer.status, answer.body.error_code]).toEqual([400, "bad_json"]);
    }
  });

  test("invalid UTF-8 is bad JSON", async () => {
    const body = Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
    const response = await api.fetch(new Request(`${SITE_URL}/auth/v1/token?grant_type=password`, { method: "POST", body }));
    expect(await response.json()).toMatchObject({ error_code: "bad_json" });
  });

  test("a body over 64 KiB is refused, with and without Content-Length", async () => {
    const body = JSON.stringify({ email: "x".repeat(64 * 1024), password: "x" });
    const announced = await api.send("POST", "/token?grant_type=password", { body, headers: { "content-length": String(body.length) } });
    const streamed = await api.send("POST", "/token?grant_type=password", { body });
    for (const { status, body: error } of [announced, streamed])
      expect([status, error.error_code]).toEqual([413, "request_entity_too_large"]);
  });

  test.each([["\u0000"], ["a\u0000b"]])("text that Postgres cannot store (%j) is refused without a failure", async (text) => {
    const { access_token: token } = await api.signIn(`odd${text.length}@larkfell.example`);
    for (const data of [{ name: text }, { [text]: 1 }]) {
      const { status, body } = await api.send("PUT", "/user", { token, body: { data } });
      expect([status, body.error_code]).toEqual([400, "validation_failed"]);
    }
    const { status } = await api.send("POST", "/token?grant_type=password", { body: { email: text, password: "x" } });
    expect(status).toBe(400);
  });

  test("text that looks like SQL is not executed", async () => {
    const email = "x' or '1'='1";
    const { body } = await api.send("POST", "/token?grant_type=password", { body: { email, password: email } });
    expect(body.error_code).toBe("invalid_credentials");
  });

  test("an unexpected error returns only the id of its log line", async () => {
    const broken: Database = {
      ...database,
      kind: database.kind,
      listen: database.listen,
      close: database.close,
      transaction: () => Promise.reject(new Error("secret detail")),
    };
    const failing = await startAuth(broken);
    const { status, body } = await failing.send("POST", "/token?grant_type=password", { body: { email: "a@b.example", password: "x" } });
    expect(status).toBe(500);
    expect(body).toMatchObject({ code: 500, error_code: "unexpected_failure", error_id: expect.any(String) });
    expect(JSON.stringify(body)).not.toContain("secret detail");
    expect(failing.logged.join("")).toContain(String(body.error_id));
  });

  test.each([
    ["GET", "/health"],
    ["GET", "/settings"],
    ["GET", "/user"],
    ["POST", "/token?grant_type=password"],
    ["GET", "/verify?token=x&type=magiclink"],
    ["GET", "/nothing"],
    ["OPTIONS", "/user"],
    ["GET", "/sso/saml/metadata"],
  ])("%s %s is stored by no cache, and browsers do not guess its type", async (method, path) => {
    const answer = await api.fetch(new Request(`${SITE_URL}/auth/v1${path}`, { method, redirect: "manual" }));
    expect([answer.headers.get("cache-control"), answer.headers.get("x-content-type-options")]).toEqual(["no-store", "nosniff"]);
  });

  test("an unknown path is not found", async () => {
    const { status, body } = await api.send("GET", "/nothing");
    expect([status, body.error_code]).toEqual([404, "unknown"]);
  });

  test("other origins may call, with the headers that clients send", async () => {
    const headers = {
      origin: "http://elsewhere.example",
      "access-control-request-method": "PUT",
      "access-control-request-headers": "apikey,authorization",
    };
    const { status, headers: answer } = await api.send("OPTIONS", "/user", { headers });
    expect(status).toBe(204);
    expect(answer.get("access-control-allow-origin")).toBe("*");
    expect(answer.get("access-control-allow-credentials")).toBe("true");
    expect(answer.get("access-control-allow-methods")).toBe("GET,POST,PUT,PATCH,DELETE");
    for (const header of ["Authorization", "Content-Type", "apikey", "X-Client-Info", "X-Client-IP", "X-JWT-AUD", "X-Supabase-Api-Version"])
      expect(answer.get("access-control-allow-headers")).toContain(header);
    const refused = await api.send("GET", "/user", { headers });
    expect(refused.headers.get("access-control-allow-origin")).toBe("*");
    expect(refused.headers.get("access-control-expose-headers")).toBe("X-Total-Count,Link,X-Supabase-Api-Version");
  });

  test("a full disk is a 503, with which auth-js keeps its session", async () => {
    const session = await api.signIn("full-disk@larkfell.example");
    await database.transaction((tx) =>
      tx.script(`create function auth.disk_full() returns trigger language plpgsql as $$ begin raise sqlstate '53100'; end $$;
        create trigger full_disk before insert on auth.refresh_tokens execute function auth.disk_full()`),
    );
    const refused = await api.send("POST", "/token?grant_type=refresh_token", { body: { refresh_token: session.refresh_token } });
    expect([refused.status, refused.headers.get("x-sb-error-code"), refused.headers.get("retry-after")]).toEqual([503, "disk_full", "60"]);
    // auth-js keeps its session after this error; a refresh would be repeated for 25 seconds first.
    const { error } = await api.client().auth.signInWithPassword({ email: "full-disk@larkfell.example", password: PASSWORD });
    expect(error?.name).toBe("AuthRetryableFetchError");
    await database.transaction((tx) => tx.script("drop function auth.disk_full() cascade"));
  });

  test("no free connection to the database is a 503 that says when to retry", async () => {
    await database.transaction((tx) =>
      tx.script(`create function auth.no_connection() returns trigger language plpgsql as $$ begin raise sqlstate '53300'; end $$;
        create trigger no_connection before insert on auth.users execute function auth.no_connection()`),
    );
    const refused = await api.send("POST", "/signup", { body: { email: "no-connection@larkfell.example", password: PASSWORD } });
    await database.transaction((tx) => tx.script("drop function auth.no_connection() cascade"));
    expect(refused.body).toMatchObject({ error_code: "service_unavailable" });
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
  });

  test("health, settings and keys need no API key", async () => {
    const bare = { headers: { apikey: "" } };
    expect((await api.send("GET", "/health", bare)).body).toMatchObject({
      name: "GoTrue",
      version: expect.any(String),
      description: expect.any(String),
    });
    expect((await api.send("GET", "/settings", bare)).body).toMatchObject({
      external: { email: true, phone: false, anonymous_users: false, google: false },
      disable_signup: false,
      mailer_autoconfirm: true,
      phone_autoconfirm: false,
      saml_enabled: false,
    });
    const keys = await api.send("GET", "/.well-known/jwks.json", bare);
    expect(keys.headers.get("cache-control")).toBe("public, max-age=600");
    expect(keys.headers.get("x-content-type-options")).toBe("nosniff");
    expect(keys.body.keys).toEqual([expect.objectContaining({ kty: "EC", alg: "ES256" })]);
    expect(JSON.stringify(keys.body)).not.toContain('"d"');
  });

  test("a client gets thirty requests at once, then one every two seconds, across all processes", async () => {
    const other = await startAuth(database);
    const tryOnce = (by: TestAuth, from: string): ReturnType<TestAuth["send"]> =>
      by.send("POST", "/token?grant_type=none", { body: {}, from });
    const burst = await Promise.all(Array.from({ length: 30 }, (_, index) => tryOnce(index % 2 === 0 ? api : other, "192.0.2.50")));
    expect(new Set(burst.map(({ status }) => status))).toEqual(new Set([400]));
    await fillBuckets(api, "192.0.2.50", 2);

    const { status, headers, body } = await tryOnce(other, "192.0.2.50");
    expect(body).toEqual({ code: 429, error_code: "over_request_rate_limit", msg: "Request rate limit reached" });
    expect([status, headers.get("retry-after")]).toEqual([429, expect.stringMatching(/^[12]$/)]);
    expect((await tryOnce(api, "192.0.2.51")).status).toBe(400);

    await api.sql("update auth.rate_limits set filled_until = filled_until - interval '2 seconds' where client = '192.0.2.50'");
    expect((await tryOnce(api, "192.0.2.50")).status).toBe(400);
    expect((await tryOnce(api, "192.0.2.50")).status).toBe(429);
  });

  test.each([
    ["an unknown refresh token", "192.0.2.71", "refresh_token", { refresh_token: "000000000000" }],
    ["a request without a refresh token", "192.0.2.72", "refresh_token", {}],
    ["a wrong password", "192.0.2.73", "password", { email: "nobody@larkfell.example", password: "wrong" }],
    ["a code without a verifier", "192.0.2.74", "pkce", { auth_code: "none" }],
  ])("%s counts against the limit", async (_, from, grant, body) => {
    const slow = await startAuth(database, { rate_limit: { token_refresh: 1 } });
    const tryOnce = (): ReturnType<TestAuth["send"]> => slow.send("POST", `/token?grant_type=${grant}`, { body, from });
    expect((await tryOnce()).status).toBe(400);
    expect(await api.sql("select from auth.rate_limits where name = 'token' and client = $1", [from])).toHaveLength(1);
    await fillBuckets(api, from, 300);
    // Several, because the limit and the work of a request run at the same time.
    for (let attempt = 0; attempt < 10; attempt += 1) expect((await tryOnce()).status).toBe(429);
  });

  test("a refresh beyond the limit does not use up its token", async () => {
    const slow = await startAuth(database, { rate_limit: { token_refresh: 1 } });
    const { refresh_token: token } = await api.signIn("limited@larkfell.example");
    const from = "192.0.2.70";
    const refresh = (by?: string): ReturnType<TestAuth["send"]> =>
      slow.send("POST", "/token?grant_type=refresh_token", { body: { refresh_token: token }, ...(by !== undefined && { from: by }) });
    await slow.send("POST", "/token?grant_type=none", { body: {}, from });
    await fillBuckets(api, from, 300);
    expect((await refresh(from)).status).toBe(429);
    expect(await api.sql("select from auth.refresh_tokens where token = $1 and not revoked", [token])).toHaveLength(1);
    expect((await refresh()).status).toBe(200);
  });

  test("another address in the same IPv6 network has the same limit", async () => {
    const statuses: number[] = [];
    // On a slow machine one more request is allowed every two seconds.
    while (statuses.at(-1) !== 429 && statuses.length < 90)
      statuses.push((await api.send("POST", "/token?grant_type=none", { body: {}, from: `2001:db8:1:2::${statuses.length + 1}` })).status);
    expect(statuses.at(-1)).toBe(429);
  });

  test("no API role can access the auth tables", async () => {
    for (const role of ["anon", "authenticated", "service_role"]) {
      const tables = await api.sql(
        "select relname from pg_class where relnamespace = 'auth'::regnamespace and relkind = 'r' and relname <> 'schema_migrations'",
      );
      expect(tables.length).toBeGreaterThan(11);
      for (const { relname } of tables) {
        const rights = await api.sql(
          "select has_any_column_privilege($1, format('auth.%I', $2::text), 'select, insert, update') as columns, has_table_privilege($1, format('auth.%I', $2::text), 'select, insert, update, delete, truncate, references, trigger') as whole",
          [role, String(relname)],
        );
        // Staff can read mail that was not sent because there is no mail server.
        const allowed = role === "service_role" && relname === "mail_outbox";
        expect(rights).toEqual([{ columns: allowed, whole: allowed }]);
      }
    }
    expect(
      await api.sql(
        "select relname from pg_class where relnamespace = 'auth'::regnamespace and relkind = 'r' and not relrowsecurity and relname <> 'schema_migrations'",
      ),
    ).toEqual([]);
  });

  test("SQL reads the caller's claims through the auth functions", async () => {
    const claims = { sub: "11111111-1111-4111-8111-111111111111", role: "authenticated", email: "a@larkfell.example" };
    const ask = "select auth.uid() as uid, auth.role() as role, auth.email() as email, auth.jwt() as jwt";
    const [row] = await database.transaction(async (tx) => {
      await tx.query("select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true)", [
        JSON.stringify(claims),
      ]);
      return tx.query(ask);
    });
    expect(row).toEqual({ uid: claims.sub, role: "authenticated", email: claims.email, jwt: claims });
    expect(await api.sql(ask)).toEqual([{ uid: null, role: null, email: null, jwt: null }]);
  });
});
