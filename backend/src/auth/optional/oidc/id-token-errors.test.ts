import { createHash } from "node:crypto";
import * as jose from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeDatabases } from "../../../../test/database.ts";
import { startAuth, type Answer, type TestAuth } from "../../fixture.ts";
import { openIssuer, type TestIssuer } from "./issuer-fixture.ts";

const CLIENT = "client-of-larkfell";
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

describeDatabases("an id token that is refused", (open) => {
  let issuer: TestIssuer;
  let api: TestAuth;
  let people = 0;

  beforeAll(async () => {
    issuer = await openIssuer(CLIENT);
    api = await startAuth(await open(), { external: { school: { enabled: true, url: issuer.url, client_id: CLIENT } } });
  });
  afterAll(() => issuer.close());

  const person = (claims: Record<string, unknown> = {}): Record<string, unknown> => {
    people += 1;
    return { sub: `person-${people}`, email: `Person${people}@school.example`, email_verified: true, ...claims };
  };
  const exchange = (body: Record<string, unknown>): Promise<Answer> => api.send("POST", "/token?grant_type=id_token", { body });

  const now = (): number => Math.floor(Date.now() / 1000);
  const bad: [what: string, token: () => Promise<string> | string][] = [
    ["text that is no token", () => "not a token"],
    ["an unsigned token", () => new jose.UnsecuredJWT(person()).setIssuer(issuer.url).setAudience(CLIENT).setExpirationTime("5m").encode()],
    ["a key of somebody else", async () => issuer.idToken(person(), {}, (await jose.generateKeyPair("RS256")).privateKey)],
    [
      "a shared secret",
      () => issuer.idToken(person(), { alg: "HS256" }, new TextEncoder().encode("a secret that is long enough for HS256")),
    ],
    ["an unknown key", () => issuer.idToken(person(), { kid: "unknown" })],
    ["an expired token", () => issuer.idToken(person({ exp: now() - 60 }))],
    ["a token without an end", () => issuer.idToken(person({ exp: null }))],
    ["a token of the future", () => issuer.idToken(person({ iat: now() + 600 }))],
    ["another issuer", () => issuer.idToken(person({ iss: "https://issuer.example" }))],
    ["no issuer", () => issuer.idToken(person({ iss: null }))],
  ];
  test.each(bad)("%s is a bad id token", async (_what, token) => {
    const answer = await exchange({ provider: "school", id_token: await token() });
    expect(answer.body).toEqual({ error: "invalid request", error_description: "Bad ID token" });
    expect(answer.status).toBe(400);
  });

  const rows: [
    what: string,
    body: (token: (claims?: Record<string, unknown>) => Promise<string>) => Promise<unknown>,
    error: string,
    text: string,
  ][] = [
    ["no id token", async () => ({ provider: "school" }), "invalid request", "id_token required"],
    ["no provider", async (t) => ({ id_token: await t() }), "invalid request", "provider or client_id and issuer required"],
    [
      "an issuer alone",
      async (t) => ({ id_token: await t(), issuer: "x" }),
      "invalid request",
      "provider or client_id and issuer required",
    ],
    [
      "no subject",
      async (t) => ({ provider: "school", id_token: await t({ sub: null }) }),
      "invalid request",
      "Missing sub claim in id_token",
    ],
    [
      "another audience",
      async (t) => ({ provider: "school", id_token: await t({ aud: ["a", "b"] }) }),
      "invalid request",
      "Unacceptable audience in id_token: [a b]",
    ],
    [
      "no audience",
      async (t) => ({ provider: "school", id_token: await t({ aud: null }) }),
      "invalid request",
      "Unacceptable audience in id_token: []",
    ],
    [
      "a nonce that only the token has",
      async (t) => ({ provider: "school", id_token: await t({ nonce: sha256("n") }) }),
      "invalid request",
      "Passed nonce and nonce in id_token should either both exist or not.",
    ],
    [
      "a nonce that only the request has",
      async (t) => ({ provider: "school", nonce: "n", id_token: await t() }),
      "invalid request",
      "Passed nonce and nonce in id_token should either both exist or not.",
    ],
    [
      "another nonce",
      async (t) => ({ provider: "school", nonce: "m", id_token: await t({ nonce: sha256("n") }) }),
      "invalid nonce",
      "Nonces mismatch",
    ],
    [
      "a bare nonce",
      async (t) => ({ provider: "school", nonce: "n", id_token: await t({ nonce: "n" }) }),
      "invalid nonce",
      "Nonces mismatch",
    ],
    [
      "another access token",
      async (t) => ({ provider: "school", access_token: "a", id_token: await t({ at_hash: "bm90IHRoZSBoYXNo" }) }),
      "invalid request",
      "Bad ID token",
    ],
  ];
  test.each(rows)("%s is refused in OAuth's form", async (_what, body, error, text) => {
    const answer = await api.send("POST", "/token?grant_type=id_token", {
      body: await body((claims) => issuer.idToken(person(claims))),
      headers: { "x-supabase-api-version": "2024-01-01" },
    });
    expect(answer.body).toEqual({ error, error_description: text });
    expect(answer.status).toBe(400);
  });

  test.each([
    ["google", {}, "provider_disabled", 'Provider (issuer "https://accounts.google.com") is not enabled'],
    ["strange", {}, "validation_failed", 'Custom OIDC provider "strange" not allowed'],
    [
      "",
      { client_id: CLIENT, issuer: "https://issuer.example" },
      "validation_failed",
      'Custom OIDC provider "https://issuer.example" not allowed',
    ],
  ])("the provider %j is answered as the contract says", async (provider, more, code, msg) => {
    const { status, body } = await exchange({ provider, id_token: "x", ...more });
    expect([status, body]).toEqual([400, { code: 400, error_code: code, msg }]);
  });
});
