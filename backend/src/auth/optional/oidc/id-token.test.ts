import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../db/database.ts";
import { describeDatabases } from "../../../../test/database.ts";
import { PASSWORD, SECRET_KEY, startAuth, type Answer, type TestAuth } from "../../fixture.ts";
import { openIssuer, type TestIssuer } from "./issuer-fixture.ts";

const CLIENT = "client-of-larkfell";
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

describeDatabases("sign-in with an id token", (open) => {
  let database: Database;
  let issuer: TestIssuer;
  let api: TestAuth;
  let people = 0;

  const withProvider = (settings: Parameters<typeof startAuth>[1] = {}): Promise<TestAuth> =>
    startAuth(database, {
      external: { school: { enabled: true, url: issuer.url, client_id: `${CLIENT}, second-client`, secret: "x" } },
      ...settings,
    });

  beforeAll(async () => {
    database = await open();
    issuer = await openIssuer(CLIENT);
    api = await withProvider();
  });
  afterAll(() => issuer.close());

  const person = (claims: Record<string, unknown> = {}): Record<string, unknown> => {
    people += 1;
    return { sub: `person-${people}`, email: `Person${people}@school.example`, email_verified: true, ...claims };
  };
  const exchange = (body: Record<string, unknown>, at = api): Promise<Answer> => at.send("POST", "/token?grant_type=id_token", { body });

  test("supabase-js creates an account with the verified address and the name of the token", async () => {
    const client = api.client();
    const token = await issuer.idToken(person({ sub: "ada", email: "Ada@School.example", name: "Ada", nonce: sha256("my nonce") }));
    const { data, error } = await client.auth.signInWithIdToken({ provider: "school", token, nonce: "my nonce" });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({
      email: "ada@school.example",
      email_confirmed_at: expect.any(String),
      app_metadata: { provider: "school", providers: ["school"] },
      user_metadata: { name: "Ada", full_name: "Ada", email_verified: true },
      identities: [{ provider: "school", id: "ada", email: "ada@school.example" }],
    });
    expect((await client.auth.getClaims()).data?.claims).toMatchObject({ aal: "aal1", amr: [{ method: "oauth" }] });
  });

  test("the same subject gets the same account even if its address changed", async () => {
    const claims = person();
    const first = await exchange({ provider: "school", id_token: await issuer.idToken(claims) });
    const second = await exchange({ provider: "school", id_token: await issuer.idToken({ ...claims, email: "moved@school.example" }) });
    expect(idOf(second)).toBe(idOf(first));
    expect(second.body.user).toMatchObject({ identities: [{ email: "moved@school.example" }] });
  });

  test("ten concurrent first sign-ins create one account", async () => {
    const token = await issuer.idToken(person());
    const answers = await Promise.all(Array.from({ length: 10 }, () => exchange({ provider: "school", id_token: token })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(idOf)).size).toBe(1);
  });

  test("a client id and an issuer can identify the provider", async () => {
    const body = { client_id: CLIENT, issuer: issuer.url, id_token: await issuer.idToken(person()) };
    expect((await exchange(body)).status).toBe(200);
  });

  test("a verified address is linked to the account with the same confirmed address", async () => {
    const session = await api.signIn("linked@school.example");
    const answer = await exchange({ provider: "school", id_token: await issuer.idToken(person({ email: "linked@school.example" })) });
    expect(idOf(answer)).toBe(session.user.id);
    expect(answer.body.user).toMatchObject({
      app_metadata: { provider: "email", providers: ["email", "school"] },
      identities: [{ provider: "email" }, { provider: "school" }],
    });
    const { error } = await api.client().auth.signInWithPassword({ email: "linked@school.example", password: PASSWORD });
    expect(error).toBeNull();
  });

  test("an account that never confirmed its address loses its password when a provider has verified the address", async () => {
    const email = "claimed@school.example";
    await api.client(SECRET_KEY).auth.admin.createUser({ email, password: PASSWORD });
    const answer = await exchange({ provider: "school", id_token: await issuer.idToken(person({ email })) });
    expect(answer.body.user).toMatchObject({ email, app_metadata: { providers: ["school"] }, identities: [{ provider: "school" }] });
    const { error } = await api.client().auth.signInWithPassword({ email, password: PASSWORD });
    expect(error?.code).toBe("invalid_credentials");
  });

  test("an unverified address neither links to an account nor creates one", async () => {
    await api.signIn("victim@school.example");
    for (const email_verified of [false, "false", null, "yes"]) {
      const id_token = await issuer.idToken(person({ email: "victim@school.example", email_verified }));
      const { status, body } = await exchange({ provider: "school", id_token });
      expect([status, body.error_code]).toEqual([422, "provider_email_needs_verification"]);
    }
  });

  test("if addresses are optional, an unverified address is stored only with the identity", async () => {
    const lenient = await withProvider({
      external: { school: { enabled: true, url: issuer.url, client_id: CLIENT, email_optional: true } },
    });
    const { body } = await exchange({ provider: "school", id_token: await issuer.idToken(person({ email_verified: false })) }, lenient);
    expect(body.user).toMatchObject({ email: "", identities: [{ provider: "school", email: `person${people}@school.example` }] });
  });

  test("with sign-up off, people with an account can sign in and others cannot", async () => {
    const closed = await withProvider({ enable_signup: false });
    const claims = person();
    const refused = await exchange({ provider: "school", id_token: await issuer.idToken(claims) }, closed);
    expect([refused.status, refused.body.error_code]).toEqual([422, "signup_disabled"]);
    await exchange({ provider: "school", id_token: await issuer.idToken(claims) });
    expect((await exchange({ provider: "school", id_token: await issuer.idToken(claims) }, closed)).status).toBe(200);
  });

  test("a banned account cannot sign in", async () => {
    const id_token = await issuer.idToken(person());
    const answer = await exchange({ provider: "school", id_token });
    await api.client(SECRET_KEY).auth.admin.updateUserById(String(idOf(answer)), { ban_duration: "24h" });
    const refused = await exchange({ provider: "school", id_token });
    expect([refused.status, refused.body.error_code]).toEqual([403, "user_banned"]);
  });

  test("an id token links to the caller's account if that is allowed, and to only one account", async () => {
    const linking = await withProvider({ enable_manual_linking: true });
    const mine = await api.signIn("mine@larkfell.example");
    const id_token = await issuer.idToken(person());
    const body = { provider: "school", id_token, link_identity: true };
    const link = (at: TestAuth, token: string): Promise<Answer> => at.send("POST", "/token?grant_type=id_token", { body, token });
    expect((await link(api, mine.access_token)).body.error_code).toBe("manual_linking_disabled");
    const linked = await link(linking, mine.access_token);
    expect(idOf(linked)).toBe(mine.user.id);
    expect(linked.body.user).toMatchObject({ email: "mine@larkfell.example", app_metadata: { providers: ["email", "school"] } });
    const other = await api.signIn("other@larkfell.example");
    const refused = await link(linking, other.access_token);
    expect([refused.status, refused.body.error_code]).toEqual([422, "identity_already_exists"]);
    expect(idOf(await exchange({ provider: "school", id_token }))).toBe(mine.user.id);
  });

  test("a second audience, the right access token and no nonce check are accepted", async () => {
    expect((await exchange({ provider: "school", id_token: await issuer.idToken(person({ aud: ["x", "second-client"] })) })).status).toBe(
      200,
    );
    const at_hash = createHash("sha256").update("the token").digest().subarray(0, 16).toString("base64url");
    const body = { provider: "school", access_token: "the token", id_token: await issuer.idToken(person({ at_hash })) };
    expect((await exchange(body)).status).toBe(200);
    const unchecked = await withProvider({
      external: { school: { enabled: true, url: issuer.url, client_id: CLIENT, skip_nonce_check: true } },
    });
    expect((await exchange({ provider: "school", id_token: await issuer.idToken(person({ nonce: "any" })) }, unchecked)).status).toBe(200);
  });

  test("the audit log names the provider of sign-ups and sign-ins and contains no token", async () => {
    const id_token = await issuer.idToken(person());
    const answer = await exchange({ provider: "school", id_token });
    const entries = await api.sql(
      "select payload ->> 'action' as action, payload -> 'traits' ->> 'provider' as provider from auth.audit_log_entries where payload ->> 'actor_id' = $1",
      [String(idOf(answer))],
    );
    expect(entries).toEqual([
      { action: "user_signedup", provider: "school" },
      { action: "login", provider: "school" },
    ]);
    const all = JSON.stringify(await api.sql("select payload from auth.audit_log_entries")) + api.logged.join("");
    expect(all).not.toContain(id_token);
  });
});

function idOf({ body: { user } }: Answer): unknown {
  return typeof user === "object" && user !== null && "id" in user ? user.id : undefined;
}
