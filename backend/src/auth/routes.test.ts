import { beforeAll, expect, test } from "vitest";
import { describeDatabases } from "../../test/database.ts";
import type { Database } from "../db/database.ts";
import { SITE_URL, fillBuckets, startAuth, type TestAuth } from "./fixture.ts";

const SOMEWHERE = "11111111-1111-4111-8111-111111111111";

describeDatabases("the routes", (open) => {
  let database: Database;
  let api: TestAuth;
  let token: string;

  beforeAll(async () => {
    database = await open();
    api = await startAuth(database, { enable_anonymous_sign_ins: true, enable_manual_linking: true, sso: { enabled: true } });
    token = (await api.signIn("busy@larkfell.example")).access_token;
  });

  // The seconds until one more request is allowed after thirty (wire contract, 1.6).
  const limited: [method: string, path: string, seconds: number][] = [
    ["POST", "/token?grant_type=none", 2],
    ["POST", "/verify", 10],
    ["GET", "/verify", 10],
    ["POST", "/otp", 10],
    ["POST", "/recover", 10],
    ["POST", "/resend", 10],
    ["POST", "/signup", 10],
    ["PUT", "/user", 10],
    ["POST", "/sso", 10],
    ["POST", "/sso/saml/acs", 4],
    ["GET", "/authorize", 10],
    ["GET", "/user/identities/authorize", 10],
    ["POST", `/factors/${SOMEWHERE}/challenge`, 4],
    ["POST", `/factors/${SOMEWHERE}/verify`, 4],
    ["POST", "/setup", 10],
  ];
  test.each(limited)("%s %s allows a client thirty requests at once, then one every %d seconds", async (method, path, seconds) => {
    await api.sql("delete from auth.rate_limits");
    const ask = (from: string): ReturnType<TestAuth["send"]> =>
      api.send(method, path, { token, from, headers: { apikey: "" }, ...(method !== "GET" && { body: '{"email":1}' }) });
    const burst = await Promise.all(Array.from({ length: 30 }, () => ask("192.0.2.70")));
    expect(burst.filter(({ status }) => status === 429)).toEqual([]);
    await fillBuckets(api, "192.0.2.70", seconds);
    const { status, headers, body } = await ask("192.0.2.70");
    expect(body).toEqual({ code: 429, error_code: "over_request_rate_limit", msg: "Request rate limit reached" });
    expect([status, headers.get("x-sb-error-code")]).toEqual([429, "over_request_rate_limit"]);
    // A second may have passed.
    expect(headers.get("retry-after")).toBeOneOf([String(seconds), String(seconds - 1)]);
    expect((await ask("192.0.2.71")).status).not.toBe(429);
  });

  test("a client can create thirty anonymous accounts per hour", async () => {
    await api.sql("delete from auth.rate_limits");
    for (let made = 0; made < 30; made += 1) {
      // The limit of sign-ups as such is shorter.
      await api.sql("delete from auth.rate_limits where name = 'signup'");
      expect((await api.send("POST", "/signup", { body: {}, from: "192.0.2.72" })).status).toBe(200);
    }
    await api.sql("delete from auth.rate_limits where name = 'signup'");
    await fillBuckets(api, "192.0.2.72", 120);
    const { status, headers, body } = await api.send("POST", "/signup", { body: {}, from: "192.0.2.72" });
    expect([status, body.error_code]).toEqual([429, "over_request_rate_limit"]);
    expect(headers.get("retry-after")).toBeOneOf(["120", "119"]);
  });

  const off: [method: string, path: string, code: string][] = [
    ["GET", "/passkeys", "passkey_disabled"],
    ["POST", "/passkeys/registration/options", "passkey_disabled"],
    ["POST", "/passkeys/authentication/verify", "passkey_disabled"],
    ["DELETE", `/passkeys/${SOMEWHERE}`, "passkey_disabled"],
    ["GET", `/admin/users/${SOMEWHERE}/passkeys`, "passkey_disabled"],
    ["DELETE", `/admin/users/${SOMEWHERE}/passkeys/${SOMEWHERE}`, "passkey_disabled"],
    ["GET", "/oauth/authorize", "feature_disabled"],
    ["POST", `/oauth/authorizations/${SOMEWHERE}/consent`, "feature_disabled"],
    ["GET", "/user/oauth/grants", "feature_disabled"],
    ["POST", "/admin/oauth/clients", "feature_disabled"],
    ["GET", "/admin/custom-providers", "feature_disabled"],
    ["PUT", "/admin/custom-providers/x", "feature_disabled"],
    ["GET", "/scim/v2/Users", "feature_disabled"],
  ];
  test.each(off)("%s %s reports that it is disabled without a check of the caller", async (method, path, code) => {
    const { status, body } = await api.send(method, path, { headers: { apikey: "" } });
    expect([status, body.error_code]).toEqual([404, code]);
  });

  test("a request that takes too long ends with an error", async () => {
    const hurried = await startAuth(database, {}, {}, { timeoutMs: 50 });
    // A client that starts a body and never ends it.
    const body = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(new TextEncoder().encode("{")) });
    const init: RequestInit & { duplex: "half" } = { method: "POST", body, duplex: "half" };
    const response = await hurried.fetch(new Request(`${SITE_URL}/auth/v1/recover`, init));
    expect([response.status, response.headers.get("x-sb-error-code")]).toEqual([504, "request_timeout"]);
    expect(await response.json()).toEqual({
      code: 504,
      error_code: "request_timeout",
      msg: "Processing this request timed out, please retry after a moment.",
    });
  });

  test("a client that leaves after its request timed out causes no error in the log", async () => {
    const hurried = await startAuth(database, {}, {}, { timeoutMs: 50 });
    const sending = Promise.withResolvers<ReadableStreamDefaultController<Uint8Array>>();
    const body = new ReadableStream<Uint8Array>({ start: sending.resolve });
    const init: RequestInit & { duplex: "half" } = { method: "POST", body, duplex: "half" };
    expect((await hurried.fetch(new Request(`${SITE_URL}/auth/v1/recover`, init))).status).toBe(504);
    (await sending.promise).error(new Error("aborted"));
    // By the time that the database answers, the end of the body has been handled.
    await api.sql("select 1");
    expect(hurried.logged.filter((line) => JSON.parse(line).level >= 40)).toEqual([]);
  });

  test("a request that waits too long for the database ends with an error", async () => {
    const stuck: Database = { ...database, transaction: () => new Promise(() => undefined) };
    const waiting = await startAuth(stuck, {}, {}, { timeoutMs: 50 });
    const { error } = await waiting.client().auth.signInWithPassword({ email: "busy@larkfell.example", password: "x" });
    expect(error).toMatchObject({ name: "AuthRetryableFetchError", status: 504 });
  });
});
