import { createHash } from "node:crypto";
import * as jose from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeDatabases } from "../../../../test/database.ts";
import { startAuth, type Answer, type TestAuth } from "../../fixture.ts";
import { openIssuer, type TestIssuer } from "./issuer-fixture.ts";

const CLIENT = "client-of-larkfell";
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

describeDatabases("invalid id tokens", (open) => {
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
    ["text that is not a token", () => "not a token"],
    ["an unsigned token", () => new jose.UnsecuredJWT(person()).setIssuer(issuer.url).setAudience(CLIENT).setExpirationTime("5m").encode()],
    ["a token signed with another key", async () => issuer.idToken(person(), {}, (await jose.generateKeyPair("RS256")).privateKey)],
    [
      "a token signed with a shared secret",
      () => issuer.idToken(person(), { alg: "HS256" }, new TextEncoder().encode("a secret that is long enough for HS256")),
    ],
    ["a token with an unknown key id", () => issuer.idToken(person(), { kid: "unknown" })],
    ["an expired token", () => issuer.idToken(person({ exp: now() - 60 }))],
    ["a token without exp", () => issuer.idToken(person({ exp: null }))],
    ["a token that was issued in the future", () => issuer.idToken(person({ iat: now() + 600 }))],
    ["another issuer", () => issuer.idToken(person({ iss: "https://issuer.example" }))],
    ["no issuer", () => issuer.idToken(person({ iss: null }))],
  ];
  test.each(bad)("%s is refused as a bad id token", async (_what, token) => {
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
    ["only an issuer", async (t) => ({ id_token: await t(), issuer: "x" }), "invalid request", "provider or client_id and issuer required"],
    [
      "no subject",
      async (t) => ({ provider: "school", id_token: await t({ sub: null }) }),
      "invalid request",
      "Missing sub claim in id_token",
    ],
    [
      "a different audience",
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
      "a nonce only in the token",
      async (t) => ({ provider: "school", id_token: await t({ nonce: sha256("n") }) }),
      "invalid request",
      "Passed nonce and nonce in id_token should either both exist or not.",
    ],
    [
      "a nonce only in the request",
      async (t) => ({ provider: "school", nonce: "n", id_token: await t() }),
      "invalid request",
      "Passed nonce and nonce in id_token should either both exist or not.",
    ],
    [
      "a different nonce",
      async (t) => ({ provider: "school", nonce: "m", id_token: await t({ nonce: sha256("n") }) }),
      "invalid nonce",
      "Nonces mismatch",
    ],
    [
      "a nonce that is not hashed",
      async (t) => ({ provider: "school", nonce: "n", id_token: await t({ nonce: "n" }) }),
      "invalid nonce",
      "Nonces mismatch",
    ],
    [
      "a different access token",
      async (t) => ({ provider: "school", access_token: "a", id_token: await t({ at_hash: "bm90IHRoZSBoYXNo" }) }),
      "invalid request",
      "Bad ID token",
    ],
  ];
  test.each(rows)("%s is refused with an OAuth error", async (_what, body, error, text) => {
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
  ])("the provider %j is refused as in the wire contract", async (provider, more, code, msg) => {
    const { status, body } = await exchange({ provider, id_token: "x", ...more });
    expect([status, body]).toEqual([400, { code: 400, error_code: code, msg }]);
  });
});
